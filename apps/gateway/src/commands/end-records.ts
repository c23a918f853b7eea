import type { AgentCommandEnd } from '@gateway/database/gateway';

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
