import type { Writable } from 'node:stream';
import { type CommandEvent, commandEventLine, type OutputStream, outputEvent } from '@gateway/contract';
import { errorMessage } from '@gateway/contract/error-code';
import { type StandingQuery, type Standings, sessionKey } from '@gateway/domain/session/gateway';
import {
  blockingKinds,
  createTextStream,
  type EventStep,
  type EventStream,
  type Finding,
  maskText,
} from '@gateway/secrets';
import type { CommandLimits } from '../config/execution.ts';
import type { Inspector } from '../inspection/inspectors.ts';
import type { Report } from '../process/report.ts';
import type { SessionDirectories, SessionOwner } from './directories.ts';
import { type Together, watchDisk } from './disk-watch.ts';
import type { LaunchedCommand, ProcessEnd } from './launcher.ts';
import type { CommandOutput } from './pipes.ts';

/** Why the gateway ended a command (closed list; stored with its end, where `lost` is added: the gateway itself ended). */
export type StopCause =
  | 'interrupted'
  | 'disconnected'
  | 'revoked'
  | 'unreadable'
  | 'duration'
  | 'output'
  | 'disk'
  | 'shutdown'
  | 'secret';

interface Stop {
  /** Whether the command may still clean up: SIGTERM, and SIGKILL five seconds later. Otherwise SIGKILL immediately. */
  readonly gentle: boolean;
  /** The text for its caller in an `erreur` event; null where the caller requested the end. */
  readonly message: ((limits: CommandLimits, kinds: readonly string[]) => string) | null;
}

const mebibytes = (bytes: number) => `${Math.round(bytes / 2 ** 20)} MiB`;

export const STOPS: Readonly<Record<StopCause, Stop>> = {
  interrupted: { gentle: true, message: null },
  disconnected: { gentle: true, message: null },
  // Within a second (commands-11), so there is no time to tidy up.
  revoked: { gentle: false, message: () => 'The session or the subject of this command was revoked.' },
  unreadable: { gentle: false, message: () => 'Whether this command may still run could not be read for too long.' },
  duration: {
    gentle: true,
    message: ({ duration }) => `The command met its limit of duration: ${duration / 1000} seconds.`,
  },
  // What floods keeps flooding while it tidies up.
  output: { gentle: false, message: ({ output }) => `The command met its limit of output: ${mebibytes(output)}.` },
  disk: {
    gentle: false,
    message: ({ disk, files, subjectDisk }) =>
      `The session's directory met its limit of ${mebibytes(disk)} or ${files} files, or all directories of your sessions together met theirs of ${mebibytes(subjectDisk)}. Remove what is not needed; what is idle for a day is deleted.`,
  },
  shutdown: { gentle: true, message: () => 'This gateway is being stopped.' },
  // Nothing it still writes is passed on, so it may tidy up like any interrupted command (commands-13).
  secret: {
    gentle: true,
    message: (_, kinds) =>
      `The output carries what looks like a secret (${kinds.join(', ')}), so the command was ended.`,
  },
};

/** Milliseconds between SIGTERM and SIGKILL (commands-6). */
const GRACE = 5000;
/** Milliseconds after SIGKILL until unread outputs are abandoned. */
const GIVE_UP = 1000;

/** How a command ended, as recorded: never its output. */
export interface CommandEnd {
  readonly code: number | null;
  readonly signal: string | null;
  /** Why the gateway ended it; null where it ended by itself. */
  readonly cause: StopCause | null;
  readonly fault: string | null;
  /** Milliseconds. */
  readonly duration: number;
  /** Bytes it wrote to each output. */
  readonly written: Readonly<Record<OutputStream, number>>;
}

/** The parts that a run needs of its command. */
export interface RunDescription {
  readonly identifier: string;
  readonly session: string;
  /** Of the session, on this host. */
  readonly directory: string;
  readonly startedAt: Date;
  /** `sansFluxDeSortie`: outputs are counted and dropped. */
  readonly silent: boolean;
  readonly limits: CommandLimits;
  /** The limit that the directory shares with the other sessions of its subject. */
  readonly together: Together;
  /** Scans forwarded output for secrets, by the policy at the time of the permission (commands-13). */
  readonly inspector: Inspector;
  /** Called with everything that was found in an output; offsets are bytes of it. */
  readonly found: (flux: OutputStream, findings: readonly Finding[]) => void;
}

const OUTPUTS = ['stdout', 'stderr'] as const;

/**
 * A command from its first event to its last. Events go to `caller` one line each. One piece of each output is in transit: the
 * next is read after the caller's connection accepted the last. So a command waits for a slow caller, and memory stays bounded.
 */
export class RunningCommand {
  readonly #launched: LaunchedCommand;
  readonly #caller: Writable;
  readonly #description: RunDescription;
  readonly #written: Record<OutputStream, number> = { stdout: 0, stderr: 0 };
  readonly #begun = performance.now();
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #stopWatching: () => void;
  #cause: StopCause | null = null;
  #muted: boolean;
  /** Whether the last event was written. */
  #reported = false;
  /** One scanner per output, so that the other output does not separate two halves of a secret. */
  readonly #scans = new Map<OutputStream, EventStream>();
  /** What an output was cut off for. */
  #kinds: readonly string[] = [];
  /** Settles after the last event was written. Never rejects. */
  readonly ended: Promise<CommandEnd>;

  constructor(launched: LaunchedCommand, caller: Writable, description: RunDescription) {
    this.#launched = launched;
    this.#caller = caller;
    this.#description = description;
    this.#muted = description.silent;
    this.#emit({
      evenement: 'demarre',
      identifiant: description.identifier,
      session: description.session,
      a: description.startedAt.toISOString(),
    });
    caller.once('close', () => this.#callerLeft());
    caller.on('error', () => {}); // `close` follows.
    if (caller.destroyed) this.#callerLeft();
    for (const flux of OUTPUTS) this.#follow(flux, launched[flux]);
    this.#after(description.limits.duration, () => this.stop('duration'));
    const { disk: bytes, files } = description.limits;
    this.#stopWatching = watchDisk(
      description.directory,
      { bytes, files },
      () => this.stop('disk'),
      () => launched.processes(),
      description.together,
    );
    this.ended = launched.ended.then((end) => this.#finish(end));
  }

  /** Ends the command and all its processes. The first cause counts. */
  stop(cause: StopCause): void {
    // A later cause that demands an immediate end overrides the five seconds of an earlier one.
    if (this.#cause !== null && (STOPS[cause].gentle || !STOPS[this.#cause].gentle)) return;
    this.#cause ??= cause;
    if (!STOPS[cause].gentle) return this.#kill();
    this.#launched.terminate();
    this.#after(GRACE, () => this.#kill());
  }

  #kill(): void {
    this.#launched.kill();
    this.#after(GIVE_UP, () => {
      this.#launched.stdout.destroy();
      this.#launched.stderr.destroy();
    });
  }

  #follow(flux: OutputStream, output: CommandOutput): void {
    const take = (piece: Buffer) => {
      this.#written[flux] += piece.length;
      if (this.#written.stdout + this.#written.stderr > this.#description.limits.output) {
        this.#muted = true;
        this.stop('output');
      }
      if (!this.#muted) this.#pass(flux, this.#scan(flux).push(piece));
    };
    output.read(take, () => this.#flush(flux));
  }

  /** Scans an output for secrets; made at its first data, because it takes memory and many outputs stay empty. */
  #scan(flux: OutputStream): EventStream {
    const { scanner, responsePolicy } = this.#description.inspector;
    const scan = this.#scans.get(flux) ?? createTextStream(scanner, responsePolicy);
    this.#scans.set(flux, scan);
    return scan;
  }

  /** Forwards the parts of an output that may leave: no secrets, and nothing that may still become the start of one. */
  #pass(flux: OutputStream, step: EventStep | undefined): void {
    if (step === undefined) return;
    const { bytes, findings, blocked } = step;
    const { inspector, found } = this.#description;
    if (findings.length > 0) found(flux, findings);
    if (bytes.length > 0) this.#hand(flux, bytes);
    if (!blocked) return;
    this.#muted = true;
    this.#kinds = blockingKinds(inspector.responsePolicy, findings);
    this.stop('secret');
  }

  /** An output ended: pending bytes are decided and leave. */
  #flush(flux: OutputStream): void {
    const scan = this.#scans.get(flux);
    this.#scans.delete(flux);
    if (!this.#muted) this.#pass(flux, scan?.end());
  }

  /** Writes a piece to the caller; its output waits until the connection accepted it. */
  #hand(flux: OutputStream, bytes: Uint8Array): void {
    if (this.#caller.destroyed) return;
    const output = this.#launched[flux];
    output.pause();
    // Latin-1: base64 is ASCII, and a line then takes one byte per character.
    this.#caller.write(commandEventLine(outputEvent(flux, bytes)), 'latin1', () => output.resume());
  }

  #callerLeft(): void {
    if (this.#reported) return;
    this.#muted = true;
    for (const output of [this.#launched.stdout, this.#launched.stderr]) output.resume();
    this.stop('disconnected');
  }

  #finish(end: ProcessEnd): CommandEnd {
    for (const flux of OUTPUTS) this.#flush(flux); // of outputs that were given up, too
    this.#stopWatching();
    for (const timer of this.#timers) clearTimeout(timer);
    const duration = Math.round(performance.now() - this.#begun);
    // A fault may quote the command's arguments.
    const fault = end.fault === null ? null : maskText(end.fault);
    this.#reportCause(fault, end.code === 0);
    this.#emit({
      evenement: 'fin',
      code: end.code,
      signal: end.signal,
      interrompu: this.#cause !== null,
      dureeMs: duration,
    });
    this.#reported = true;
    if (!this.#caller.destroyed) this.#caller.end();
    return { ...end, fault, cause: this.#cause, duration, written: { ...this.#written } };
  }

  /** The event before the last one, if something other than the command ended it. */
  #reportCause(fault: string | null, succeeded: boolean): void {
    const { before, most } = this.#description.together;
    // A command that began on a full disk could write nothing, and does not know why.
    const failed = !succeeded && before >= most ? 'disk' : null;
    const cause = this.#kinds.length > 0 ? 'secret' : (this.#cause ?? failed);
    const reported = cause === null ? null : STOPS[cause].message;
    const message = fault ?? reported?.(this.#description.limits, this.#kinds) ?? null;
    if (message === null) return;
    const secret = this.#kinds.length === 0 ? {} : { code: 'secret-detected' as const, kinds: this.#kinds };
    this.#emit({ evenement: 'erreur', message, ...secret });
  }

  #emit(event: CommandEvent): void {
    if (!this.#caller.destroyed) this.#caller.write(commandEventLine(event));
  }

  #after(milliseconds: number, work: () => void): void {
    this.#timers.add(setTimeout(work, milliseconds));
  }
}

/** A command from its permission until its end is known. */
interface ActiveCommand extends SessionOwner {
  readonly identifier: string;
  /** Whether the registry had its subject's account when the command was permitted. */
  readonly registered: boolean;
  /** Ends the command, even before it has started. */
  stop(cause: StopCause): void;
}

/** What the start of a command does with its entry. */
export interface ActiveEntry {
  attach(run: RunningCommand): void;
  /** Why it must not run any more, where it was stopped before it did. */
  stopped(): StopCause | null;
  remove(): void;
}

interface Entry extends ActiveCommand {
  run: RunningCommand | null;
  cause: StopCause | null;
}

/** The commands of this gateway, by identifier. */
export class ActiveCommands {
  readonly #entries = new Map<string, Entry>();

  /** Registers a command before anything of it runs, so that a later revocation finds it. */
  add(identifier: string, { subject, session }: SessionOwner, registered = false): ActiveEntry {
    const entry: Entry = {
      identifier,
      subject,
      session,
      registered,
      run: null,
      cause: null,
      stop(cause) {
        this.cause ??= cause;
        this.run?.stop(cause);
      },
    };
    this.#entries.set(identifier, entry);
    return {
      attach: (run) => {
        entry.run = run;
        if (entry.cause !== null) run.stop(entry.cause);
      },
      stopped: () => entry.cause,
      remove: () => this.#entries.delete(identifier),
    };
  }

  find(identifier: string): ActiveCommand | null {
    return this.#entries.get(identifier) ?? null;
  }

  all(): readonly ActiveCommand[] {
    return [...this.#entries.values()];
  }

  /** Whether the session's directory is in use. */
  uses({ subject, session }: SessionOwner): boolean {
    return this.all().some((one) => one.subject === subject && one.session === session);
  }
}

interface RevocationWatchOptions {
  readonly commands: ActiveCommands;
  readonly directories: SessionDirectories;
  readonly standings: (query: StandingQuery) => Promise<Standings>;
  readonly report: Report;
  /** Milliseconds between two queries about running commands. Default 300: stopped within a second (commands-11). */
  readonly period?: number;
  /** Milliseconds between two queries about directories without a command. Default 2000. */
  readonly sweepPeriod?: number;
  /** Milliseconds without an answer after which unwatched commands end. Default 30,000. */
  readonly patience?: number;
}

/** Directories per query; more than that take turns. */
const SWEEP = 500;

/**
 * Finds revocations by polling: the gateway that runs a command queries the database repeatedly, so a revocation from anywhere
 * reaches it. It queries only while there are commands or directories.
 */
export class RevocationWatch {
  readonly #options: Required<RevocationWatchOptions>;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;
  #lastSweep = 0;
  #turn = 0;
  #silentSince: number | null = null;

  constructor(options: RevocationWatchOptions) {
    this.#options = { period: 300, sweepPeriod: 2000, patience: 30_000, ...options };
  }

  start(): void {
    const round = () => {
      this.look().then(again, again);
    };
    const again = () => {
      if (!this.#stopped) this.#timer = setTimeout(round, this.#options.period);
    };
    again();
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  /** One poll: queries, stops revoked commands, destroys revoked directories. */
  async look(): Promise<void> {
    const commands = this.#options.commands.all();
    const owners = this.#ownersDue();
    if (commands.length === 0 && owners.length === 0) return;
    let standings: Standings;
    try {
      standings = await this.#options.standings({
        sessions: [...new Map([...commands, ...owners].map((owner) => [sessionKey(owner), owner])).values()].map(
          ({ subject, session }) => ({ subject, session }),
        ),
        subjects: [...new Set([...commands, ...owners].map(({ subject }) => subject))],
        registered: [...new Set(commands.filter(({ registered }) => registered).map(({ subject }) => subject))],
        keys: [],
        commands: commands.map(({ identifier }) => identifier),
      });
      this.#silentSince = null;
    } catch {
      this.#silence();
      return;
    }
    const { revokedSessions, revokedSubjects, disabledSubjects, interruptedCommands } = standings;
    const isRevoked = ({ session, subject }: SessionOwner) =>
      revokedSubjects.has(subject) || revokedSessions.has(sessionKey({ subject, session }));
    for (const command of commands) {
      if (isRevoked(command) || disabledSubjects.has(command.subject)) command.stop('revoked');
      else if (interruptedCommands.has(command.identifier)) command.stop('interrupted');
    }
    await Promise.all(owners.filter(isRevoked).map((owner) => this.#destroy(owner)));
  }

  #ownersDue(): readonly SessionOwner[] {
    const now = performance.now();
    if (now - this.#lastSweep < this.#options.sweepPeriod) return [];
    this.#lastSweep = now;
    const known = this.#options.directories.known();
    if (known.length <= SWEEP) return known;
    this.#turn = (this.#turn + SWEEP) % known.length;
    return [...known, ...known].slice(this.#turn, this.#turn + SWEEP);
  }

  async #destroy(owner: SessionOwner): Promise<void> {
    const { commands, directories, report } = this.#options;
    if (commands.uses(owner)) return; // Its command is being stopped: next time.
    try {
      await directories.destroy(owner);
    } catch (error) {
      report(
        `The directory of a revoked session could not be removed, and will be tried again: ${errorMessage(error)}`,
      );
    }
  }

  /** No command continues for long on an old answer. */
  #silence(): void {
    const now = performance.now();
    this.#silentSince ??= now;
    if (now - this.#silentSince < this.#options.patience) return;
    for (const command of this.#options.commands.all()) command.stop('unreadable');
  }
}
