import type { Sql } from '@gateway/database';
import { isUnavailability } from '@gateway/database/console';

/** Work that nobody asks for by a request, done at the start and again and again. */
export interface Chore {
  /** What it is for, in a complaint: `adding up usage`. */
  readonly name: string;
  /** Milliseconds between its end and its next beginning. */
  readonly every: number;
  readonly run: (database: Sql) => Promise<void>;
}

/**
 * Does chores beside the requests until it is stopped. A database that is away is no complaint: the next round finds it again.
 * @returns what stops them, once the one in progress has ended.
 */
export function startChores(
  chores: readonly Chore[],
  database: Sql,
  complain: (line: string) => void,
): () => Promise<void> {
  const timers = new Map<Chore, NodeJS.Timeout>();
  const rounds = new Map<Chore, Promise<void>>();
  let stopped = false;
  async function round(chore: Chore): Promise<void> {
    try {
      await chore.run(database);
    } catch (error) {
      if (!isUnavailability(error)) complain(`${chore.name} failed: ${String(error)}`);
    }
    if (!stopped) timers.set(chore, setTimeout(begin, chore.every, chore).unref());
  }
  function begin(chore: Chore): void {
    rounds.set(chore, round(chore));
  }
  for (const chore of chores) begin(chore);
  return async () => {
    stopped = true;
    for (const timer of timers.values()) clearTimeout(timer);
    await Promise.all(rounds.values());
  };
}
