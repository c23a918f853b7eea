/**
 * Overhead of a chunk of a body: its Buffer and its list entry. Code that stores a body in chunks counts this for each; otherwise
 * a body sent byte by byte would use a hundred times the counted memory.
 */
export const CHUNK_OVERHEAD = 512;

/** Bodies of a subject that its share of the budget does not limit: two large ones are always allowed. */
const UNLIMITED_BODIES = 2;
/** A subject holds at most this part of the budget. */
const PART_OF_ONE_SUBJECT = 4;

/** The memory of one body. */
export interface BodyShare {
  /** @returns false where the budget, or the subject's share of it, has too few bytes left: the body must be refused (503). */
  take(bytes: number): boolean;
  /** From now on its bytes count for this subject too, those taken before included. @returns false as `take` does */
  claim(subject: string): boolean;
  /** Releases everything that was taken. Calling it again has no effect. */
  release(): void;
}

/** What a subject holds. */
interface Holder {
  used: number;
  bodies: number;
  unlimited: number;
}

/**
 * Total memory for the bodies in this process (limits-5). A body that is stored, not only passed on, takes its bytes here first.
 */
export class BodyBudget {
  readonly #most: number;
  readonly #onFull: () => void;
  readonly #whole: BodyBudget | null;
  readonly #holders = new Map<string, Holder>();
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
    let subject: string | null = null;
    let holder: Holder | null = null;
    let isUnlimited = false;
    const fits = (bytes: number): boolean =>
      holder === null || isUnlimited || holder.used + bytes <= this.#most / PART_OF_ONE_SUBJECT;
    return {
      take: (bytes) => {
        if (!fits(bytes) || !this.#take(bytes)) return false;
        taken += bytes;
        if (holder !== null) holder.used += bytes;
        return true;
      },
      claim: (by) => {
        subject = by;
        holder = this.#holders.get(by) ?? { used: 0, bodies: 0, unlimited: 0 };
        this.#holders.set(by, holder);
        isUnlimited = holder.unlimited < UNLIMITED_BODIES;
        const isAllowed = fits(taken);
        holder.used += taken;
        holder.bodies += 1;
        if (isUnlimited) holder.unlimited += 1;
        return isAllowed;
      },
      release: () => {
        this.#give(taken);
        if (holder !== null && subject !== null) {
          holder.used -= taken;
          holder.bodies -= 1;
          if (isUnlimited) holder.unlimited -= 1;
          if (holder.bodies === 0) this.#holders.delete(subject);
        }
        taken = 0;
        holder = null;
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
