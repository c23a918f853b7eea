/**
 * Bytes that a chunk of a body costs besides its own: its Buffer and its place in a list. Anybody who keeps a body in chunks takes this
 * for each, else a body sent byte by byte would hold a hundred times what was counted.
 */
export const CHUNK_OVERHEAD = 512;

/** The memory that one body holds. */
export interface BodyShare {
  /** @returns false where the budget does not have so many bytes left: nothing was taken, and the body must be refused (503). */
  take(bytes: number): boolean;
  /** Gives back everything that was taken. Calling it again does nothing. */
  release(): void;
}

/**
 * Memory that the bodies held by this process may take together (limits-5). Every body that is kept, and not only
 * passed on, takes its bytes here before it keeps them.
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

  /** Bytes that are taken now. */
  get used(): number {
    return this.#used;
  }

  /** A part for bodies of one kind: what they hold counts here too, and never exceeds `most` bytes. */
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
