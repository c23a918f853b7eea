import { type Refusal, refusal } from '@gateway/contract';

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
