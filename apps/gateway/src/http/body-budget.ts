/**
 * Overhead of a chunk of a body: its Buffer and its list entry. Code that stores a body in chunks counts this for each; otherwise
 * a body sent byte by byte would use a hundred times the counted memory.
 */
export const CHUNK_OVERHEAD = 512;

/** The memory of one body. */
export interface BodyShare {
  /** @returns false where the budget has too few bytes left: nothing was taken, and the body must be refused (503). */
  take(bytes: number): boolean;
  /** Releases everything that was taken. Calling it again has no effect. */
  release(): void;
}

/**
 * Total memory for the bodies in this process (limits-5). A body that is stored, not only passed on, takes its bytes here first.
 */
export class BodyBudget {
  readonly #most: number;
  readonly #onFull: () => void;
  readonly #whole: BodyBudget | null;
  #used = 0;

  /**
   * @param most bytes.
   * @param onFull called each time a body did not fit.
   * @param whole the budget that this one is a part of.
   */
  constructor(most: number, onFull: () => void, whole: BodyBudget | null = null) {
    this.#most = most;
    this.#onFull = onFull;
    this.#whole = whole;
  }

  /** Bytes taken now. */
  get used(): number {
    return this.#used;
  }

  /** A part for bodies of one kind: they count here too, and never exceed `most` bytes. */
  part(most: number): BodyBudget {
    return new BodyBudget(Math.min(most, this.#most), this.#onFull, this);
  }

  open(): BodyShare {
    let taken = 0;
    return {
      take: (bytes) => {
        if (!this.#take(bytes)) return false;
        taken += bytes;
        return true;
      },
      release: () => {
        this.#give(taken);
        taken = 0;
      },
    };
  }

  #take(bytes: number): boolean {
    if (this.#used + bytes > this.#most) {
      this.#onFull();
      return false;
    }
    if (this.#whole !== null && !this.#whole.#take(bytes)) return false;
    this.#used += bytes;
    return true;
  }

  #give(bytes: number): void {
    this.#used -= bytes;
    if (this.#whole !== null) this.#whole.#give(bytes);
  }
}
