import type { Writable } from 'node:stream';
import type { Revision } from '@gateway/contract';
import { type Command, type CommandEvent, commandEventLine, type Refusal, refusal } from '@gateway/contract';
import { errorMessage } from '@gateway/contract/error-code';
import type { AgentCommandEnd, AgentCommands, OwnedSession } from '@gateway/domain/session/gateway';
import type { CommandLimits } from '../config/execution.ts';
import { type Inspector, lineOf } from '../inspection/inspectors.ts';
import type { Report } from '../process/report.ts';
import { type DetectionGroup, groupOf } from '../store/detections.ts';
import type { Queue } from '../store/queue.ts';
import { recordable } from '../store/records.ts';
import { SessionDirectories, type SessionOwner } from './directories.ts';
import type { Launcher } from './launcher.ts';
import {
  ActiveCommands,
  type ActiveEntry,
  type CommandEnd,
  RevocationWatch,
  RunningCommand,
  STOPS,
  type StopCause,
} from './running-command.ts';

interface LostCommandsOptions {
  /** Of this gateway. */
  readonly commands: ActiveCommands;
  readonly record: Pick<AgentCommands, 'orphans' | 'recordLost'>;
  readonly report: Report;
  /** Milliseconds between two looks. Default 10,000. */
  readonly period?: number;
  /**
   * Milliseconds without a gateway, over several checks, before a command counts as lost. Default 60,000: longer than a gateway
   * without a database lets its commands run.
   */
  readonly patience?: number;
}

/**
 * Records the ends of commands whose gateway was killed before it recorded them. Every gateway that runs commands looks for them,
 * so the log is complete whichever gateway returns.
 */
export class LostCommands {
  readonly #options: Required<LostCommandsOptions>;
  /** When each was first seen without a gateway, and in every look since. */
  #since = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(options: LostCommandsOptions) {
    this.#options = { period: 10_000, patience: 60_000, ...options };
  }

  start(): void {
    const again = () => {
      if (!this.#stopped) this.#timer = setTimeout(round, this.#options.period);
    };
    const round = () => {
      this.look().then(again, again);
    };
    round();
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  /** One check. Rejects where the database did not answer; earlier observations are then discarded. */
  async look(now = performance.now()): Promise<void> {
    const { commands, record, report, patience } = this.#options;
    const before = this.#since;
    this.#since = new Map();
    const orphans = await record.orphans(commands.all().map(({ identifier }) => identifier));
    this.#since = new Map(orphans.map((command) => [command, before.get(command) ?? now]));
    const lost = orphans.filter((command) => now - (this.#since.get(command) ?? now) >= patience);
    const recorded = await record.recordLost(lost); // another gateway may have been first
    if (recorded === 0) return;
    report(
      `Recorded the end of ${recorded} agent command(s) whose gateway is gone (agent_command_ends, cause lost).`,
      'info',
    );
  }
}

/** A command that may start: its decision is durable. */
export interface GrantedCommand {
  /** From the decision; the caller's name for the command. */
  readonly identifier: string;
  readonly subject: string;
  /** Whether the registry has the subject's account; one from the identity provider may not be in it yet. */
  readonly registered: boolean;
  readonly command: Command;
  /** The organization's policy in force, and what looks for secrets by it. */
  readonly policy: Revision | null;
  readonly inspector: Inspector;
}

/** Concurrent commands per subject (commands-12). */
export const COMMANDS_PER_SUBJECT = 4;

/** Concurrent commands on this gateway, per subject and in total (commands-12). A slot is taken before any await. */
export class CommandSlots {
  readonly #most: number;
  readonly #taken = new Map<string, number>();
  #total = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get total(): number {
    return this.#total;
  }

  /** A slot to release exactly once, or the cause why there is none. */
  take(subject: string): { readonly release: () => void } | { readonly refused: Refusal } {
    const own = this.#taken.get(subject) ?? 0;
    if (own >= COMMANDS_PER_SUBJECT) {
      return { refused: refusal('subject-at-limit', { details: { limit: String(COMMANDS_PER_SUBJECT) } }) };
    }
    if (this.#total >= this.#most) {
      return { refused: refusal('commands-at-limit', { details: { limit: String(this.#most) } }) };
    }
    this.#total += 1;
    this.#taken.set(subject, own + 1);
    let given = false;
    return {
      release: () => {
        if (given) return;
        given = true;
        this.#total -= 1;
        const left = (this.#taken.get(subject) ?? 1) - 1;
        if (left === 0) this.#taken.delete(subject);
        else this.#taken.set(subject, left);
      },
    };
  }
}

const FIRST_PAUSE = 100;
const LONGEST_PAUSE = 5000;

/** Writes how commands ended, and tries again while the database does not take it: an end is lost only with the process. */
export class EndRecords {
  readonly #record: (end: AgentCommandEnd) => Promise<void>;
  readonly #pending = new Set<Promise<void>>();
  #closed = false;

  constructor(record: (end: AgentCommandEnd) => Promise<void>) {
    this.#record = record;
  }

  add(end: AgentCommandEnd): void {
    const written = this.#write(end).finally(() => this.#pending.delete(written));
    this.#pending.add(written);
  }

  async #write(end: AgentCommandEnd): Promise<void> {
    for (let pause = FIRST_PAUSE; !this.#closed; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
      try {
        await this.#record(end);
        return;
      } catch {
        await new Promise((resolve) => setTimeout(resolve, pause).unref());
      }
    }
  }

  /** Waits for what is pending, at most so many milliseconds. @returns how many ends are not written */
  async drain(milliseconds: number): Promise<number> {
    const late = new Promise((resolve) => setTimeout(resolve, milliseconds).unref());
    await Promise.race([Promise.all(this.#pending), late]);
    this.#closed = true;
    return this.#pending.size;
  }
}

export interface ExecutionOptions {
  readonly launcher: Launcher;
  readonly workdir: string;
  readonly limits: CommandLimits;
  /** Maximum number of concurrent commands. */
  readonly commands: number;
  readonly record: Omit<AgentCommands, 'close'>;
  /** Takes what was found in the output of commands. */
  readonly detections: Pick<Queue<DetectionGroup>, 'writeLater'>;
  readonly report: Report;
  /** Runs once no command can be started any more, and the ends of all are written. */
  readonly onClosed?: () => Promise<void>;
}

/** Milliseconds after which a session's directory without a command is deleted (commands-10), and between two looks for such. */
const IDLE = 86_400_000;
const SWEEP = 3_600_000;

/** Milliseconds for the ends of stopped commands to be written when the gateway itself is stopped. */
const DRAIN = 5000;

/** Runs the commands of agent sessions on this host (commands-8). */
export class Execution {
  readonly #options: ExecutionOptions;
  readonly #commands = new ActiveCommands();
  readonly #directories: SessionDirectories;
  readonly #ends: EndRecords;
  readonly #slots: CommandSlots;
  readonly #watch: RevocationWatch;
  readonly #lost: LostCommands;
  readonly #over = new Set<Promise<void>>();
  #sweep: NodeJS.Timeout | undefined;
  #closing = false;

  private constructor(options: ExecutionOptions) {
    const { launcher, workdir, record, report } = options;
    this.#options = options;
    this.#directories = new SessionDirectories(workdir, (directory, slot) =>
      launcher.prepareDirectory(directory, slot),
    );
    this.#ends = new EndRecords((end) => record.recordEnd(end));
    this.#slots = new CommandSlots(options.commands);
    this.#watch = new RevocationWatch({
      commands: this.#commands,
      directories: this.#directories,
      standings: (query) => record.standings(query),
      report,
    });
    this.#lost = new LostCommands({ commands: this.#commands, record, report });
  }

  /** Takes up the directories an earlier run left, and begins to watch. */
  static async open(options: ExecutionOptions): Promise<Execution> {
    const execution = new Execution(options);
    await execution.#directories.takeUp();
    await execution.#expire();
    execution.#watch.start();
    execution.#sweep = setInterval(() => void execution.#expire(), SWEEP).unref();
    execution.#lost.start();
    return execution;
  }

  /** A slot for one more command, to release later, or the cause why there is none. */
  takeSlot(subject: string): { readonly release: () => void } | { readonly refused: Refusal } {
    return this.#slots.take(subject);
  }

  /** Writes down that the command starts. Rejects where that could not be written: then it must not run. */
  async recordStart({ identifier, subject, command }: GrantedCommand): Promise<void> {
    const { session, parentSession, interpreter } = command;
    const startedAt = new Date();
    await this.#options.record.recordStart({
      id: identifier,
      subject,
      session,
      parentSession,
      interpreter: recordable(interpreter, 256),
      startedAt,
    });
  }

  /** Records the session that another one names as its parent, even if no command of it may run. */
  recordDescent(owned: OwnedSession, parentSession: string): Promise<void> {
    return this.#options.record.recordDescent(owned, parentSession);
  }

  /** Records that a command whose start is recorded never ran. */
  recordNeverRan({ identifier }: GrantedCommand, cause: StopCause | null): void {
    this.#recordEnd(identifier, { ...neverRan(0, NEVER_STARTED), cause });
  }

  /** Runs a command whose start is recorded. Its events go to `caller`; resolves after the last of them. */
  run(granted: GrantedCommand, caller: Writable): Promise<void> {
    const over = this.#run(granted, caller).finally(() => this.#over.delete(over));
    this.#over.add(over);
    return over;
  }

  async #run(granted: GrantedCommand, caller: Writable): Promise<void> {
    const { identifier, subject, registered, command } = granted;
    const { limits, report } = this.#options;
    const owner = { subject, session: command.session };
    const entry = this.#commands.add(identifier, owner, registered);
    const begun = performance.now();
    let opened = false;
    let end: CommandEnd;
    try {
      const directory = await this.#directories.open(owner);
      opened = true;
      const cause = entry.stopped();
      // Nothing of it needs to be started to be ended.
      if (cause === null) end = await this.#launch(granted, owner, directory, caller, entry);
      else {
        end = { ...neverRan(Math.round(performance.now() - begun), null), cause };
        sendCause(caller, granted, STOPS[cause].message?.(limits, []) ?? null, true);
      }
    } catch (error) {
      const fault = isTooLong(error) ? TOO_LONG : NEVER_STARTED;
      // Its directory or its control group could not be made: the host's fault, reported to the operator, not to the caller.
      if (fault === NEVER_STARTED) report(`An agent command could not be started: ${errorMessage(error)}`);
      end = neverRan(Math.round(performance.now() - begun), fault);
      sendCause(caller, granted, fault, false);
    } finally {
      entry.remove();
      if (opened) this.#directories.close(owner);
    }
    this.#recordEnd(identifier, end);
  }

  async #launch(
    { identifier, command, inspector }: GrantedCommand,
    owner: SessionOwner,
    directory: string,
    caller: Writable,
    entry: ActiveEntry,
  ): Promise<CommandEnd> {
    const { limits, launcher, detections, report } = this.#options;
    const before = await this.#directories.bytesOf(owner.subject);
    const launched = await launcher.launch(identifier, command, directory, Math.max(0, limits.subjectDisk - before));
    const run = new RunningCommand(launched, caller, {
      identifier,
      session: command.session,
      directory,
      startedAt: new Date(),
      silent: command.silent,
      limits,
      together: {
        most: limits.subjectDisk,
        before,
        others: () => this.#directories.bytesBeside(owner),
        measured: (bytes) => this.#directories.measured(owner, bytes),
      },
      inspector,
      found: (flux, findings) => {
        const circumstances = { decisionId: identifier, place: 'output', at: Date.now() } as const;
        detections.writeLater(groupOf(findings, inspector.responsePolicy, circumstances));
        report(`In ${flux} of command ${identifier}: ${lineOf(findings, inspector.responsePolicy)}`);
      },
    });
    entry.attach(run);
    if (this.#closing) run.stop('shutdown');
    return run.ended;
  }

  /** Deletes what no command used for a day. */
  async #expire(): Promise<void> {
    const failed = await this.#directories.expire(IDLE);
    if (failed > 0) this.#options.report(`Directories of ${failed} idle agent sessions could not be deleted.`);
  }

  #recordEnd(id: string, { code, signal, cause, fault, duration, written }: CommandEnd): void {
    const { stdout: stdoutBytes, stderr: stderrBytes } = written;
    this.#ends.add({ id, endedAt: new Date(), code, signal, cause, fault, duration, stdoutBytes, stderrBytes });
  }

  /** Stops a command of this gateway that its worker no longer serves. */
  shutDown(identifier: string): void {
    this.#commands.find(identifier)?.stop('shutdown');
  }

  /** Interrupts a subject's command, on any gateway. @returns false where the subject has no such running command */
  async interrupt(identifier: string, subject: string): Promise<boolean> {
    const command = this.#commands.find(identifier);
    if (command === null) return this.#options.record.askInterruption(identifier, subject);
    if (command.subject !== subject) return false;
    command.stop('interrupted');
    return true;
  }

  /** Ends every command and waits until their ends are written, within a bound. */
  async close(): Promise<void> {
    this.#closing = true;
    for (const command of this.#commands.all()) command.stop('shutdown');
    await Promise.allSettled(this.#over);
    clearInterval(this.#sweep);
    this.#watch.stop();
    this.#lost.stop();
    const unwritten = await this.#ends.drain(DRAIN);
    if (unwritten > 0)
      this.#options.report(`Ends of agent commands that could not be recorded before the end: ${unwritten}.`, 'error');
    await this.#options.onClosed?.();
  }
}

const NEVER_STARTED = "The command could not be started on this host. The gateway's error output has the cause.";
const TOO_LONG =
  'The command could not be started: its arguments and variables are more or longer than the system takes.';

const isTooLong = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'E2BIG';

function neverRan(duration: number, fault: string | null): CommandEnd {
  return { code: null, signal: null, cause: null, fault, duration, written: { stdout: 0, stderr: 0 } };
}

/** The whole stream of a command that never ran, for a connected caller. */
function sendCause(
  caller: Writable,
  { identifier, command }: GrantedCommand,
  why: string | null,
  stopped: boolean,
): void {
  if (caller.destroyed) return;
  const events: readonly CommandEvent[] = [
    { evenement: 'demarre', identifiant: identifier, session: command.session, a: new Date().toISOString() },
    ...(why === null ? [] : [{ evenement: 'erreur', message: why } as const]),
    { evenement: 'fin', code: null, signal: null, interrompu: stopped, dureeMs: 0 },
  ];
  caller.end(events.map(commandEventLine).join(''));
}
