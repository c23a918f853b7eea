import type { AgentCommands } from '@gateway/database/gateway';
import type { Report } from '../process/report.ts';
import type { ActiveCommands } from './active-commands.ts';

export interface LostCommandsOptions {
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
