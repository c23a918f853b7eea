import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Refusal, refusal } from '@gateway/contract';
import type { Head } from './head.ts';

const TEXT = new TextDecoder('utf-8', { fatal: true });

/** Milliseconds in which a body that this service reads itself must have arrived (limits-4). */
const BODY_DEADLINE_MS = 10_000;

/** Bytes taken for a body without an announced length, before it arrives. */
const FIRST_BYTES = 4096;

export interface BodyLimits {
  /** Most bytes of this body. */
  readonly most: number;
  /** The budget for its bytes, until `release` or the end of the answer. */
  readonly budget: BodyBudget;
  /** Milliseconds until it must be whole. Default 10,000. */
  readonly deadlineMs?: number;
}

/** A body that is whole. */
export interface WholeBody {
  readonly bytes: Buffer;
  /** Gives its memory back to the budget, once nothing refers to the bytes. */
  release(): void;
}

/**
 * The whole body of a request that this service itself understands, or why it is refused (408, 413, 503); null where the caller
 * left before it was whole. Asks for the body where the caller waits for that, so nothing is sent before it is wanted.
 */
export function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  head: Head,
  { most, budget, deadlineMs = BODY_DEADLINE_MS }: BodyLimits,
): Promise<WholeBody | Refusal | null> {
  const tooLarge = refusal('body-too-large', { details: { bytes: String(most) } });
  if (head.contentLength !== null && head.contentLength > most) return Promise.resolve(tooLarge);
  if (head.expectsContinue) response.writeContinue();
  return new Promise((resolve) => {
    const share = budget.open();
    const release = (): void => share.release();
    const expected = Math.min(head.contentLength ?? most, most);
    let held: Buffer = Buffer.alloc(0);
    let length = 0;

    // One buffer that grows: a body in chunks of one byte would use far more than its bytes.
    const fits = (bytes: number): boolean => {
      if (bytes <= held.length) return true;
      const size = Math.max(bytes, Math.min(expected, Math.max(2 * held.length, FIRST_BYTES)));
      if (!share.take(size - held.length)) return false;
      const grown = Buffer.allocUnsafeSlow(size);
      held.copy(grown, 0, 0, length);
      held = grown;
      return true;
    };
    const take = (chunk: Buffer): void => {
      if (length + chunk.length > most) return settle(tooLarge);
      if (!fits(length + chunk.length)) return settle(refusal('bodies-full', { headers: { 'retry-after': '1' } }));
      length += chunk.copy(held, length);
    };
    const end = (): void => {
      const whole = request.complete && !response.destroyed;
      settle(whole ? { bytes: held.subarray(0, length), release } : null);
    };
    const left = (): void => settle(null);
    const late = (): void => {
      response.shouldKeepAlive = false; // the rest would be read as the next request
      settle(refusal('request-too-slow'));
    };
    const timer = setTimeout(late, deadlineMs);
    const settle = (outcome: WholeBody | Refusal | null): void => {
      clearTimeout(timer);
      request.off('data', take).off('end', end).off('close', left);
      if (outcome === null || 'code' in outcome) release();
      resolve(outcome);
    };
    response.once('close', release);
    request.on('data', take).on('end', end).on('close', left);
    if (response.destroyed || request.destroyed) left();
  });
}

/** The JSON value of a body, or undefined where it is not JSON in UTF-8. */
export function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(TEXT.decode(body)) as unknown;
  } catch {
    return undefined;
  }
}

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
