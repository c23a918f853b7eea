import { errorMessage } from '@gateway/contract/error-code';
import { type StandingQuery, type Standings, sessionKey } from '@gateway/database/gateway';
import type { Report } from '../process/report.ts';
import type { ActiveCommands } from './running-command.ts';
import type { SessionDirectories, SessionOwner } from './session/directories.ts';

export interface RevocationWatchOptions {
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
