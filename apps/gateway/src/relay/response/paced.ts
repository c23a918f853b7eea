import { TURNS, type Turns } from '../../process/turns.ts';
import type { Work } from './last-event.ts';

/**
 * Bytes of an answer's first piece: what the meter reads at once. Most pieces take microseconds; the size follows what the last one
 * took. First pieces of an eighth of it doubled the processor time of a stream that arrives in few reads: each was a write and a turn.
 */
const FIRST_PIECE = 32 * 1024;
const SHORTEST_PIECE = 512;
const LONGEST_PIECE = 64 * 1024;
/** Milliseconds that a piece should take at most. */
const GOAL_MS = 0.5;

export interface PacedSink {
  /** @returns whether it takes more, else only after `drained`; or work that has to be done first and returns the same. */
  take(piece: Buffer): boolean | Work;
  /** Everything was taken: the source may go on. */
  resume(): void;
  /** Taking failed. Nothing more is taken. */
  fail(error: unknown): void;
}

/**
 * Takes the bytes of an answer in pieces, as fast as the turns of the event loop allow: whatever an answer contains, nobody waits
 * for more than a piece of it. Its source is paused meanwhile.
 */
export class PacedInput {
  readonly #sink: PacedSink;
  readonly #turns: Turns;
  #queue: Buffer[] = [];
  #work: Work | null = null;
  /** What follows the last piece. */
  #last: (() => Work | null) | null = null;
  /** The sink takes no more until `drained`. */
  #isStalled = false;
  /** The sink drained while work was being done. */
  #hasDrained = false;
  /** The source was told to pause. */
  #isPaused = false;
  #isInLine = false;
  #isOver = false;
  #size = FIRST_PIECE;

  constructor(sink: PacedSink, turns: Turns = TURNS) {
    this.#sink = sink;
    this.#turns = turns;
  }

  /** @returns false where the source has to pause until `resume` is called. */
  push(bytes: Buffer): boolean {
    if (this.#isOver) return true;
    this.#queue.push(bytes);
    this.#goOn();
    this.#isPaused = !this.#isOver && (this.#queue.length > 0 || this.#work !== null || this.#isStalled);
    return !this.#isPaused;
  }

  /** The source has ended. @param last called after the last piece. */
  finish(last: () => Work | null): void {
    this.#last = last;
    this.#goOn();
  }

  drained(): void {
    this.#isStalled = false;
    this.#hasDrained = true;
    this.#goOn();
  }

  /** Nothing more is taken. */
  stop(): void {
    this.#isOver = true;
    this.#queue = [];
    this.#work = null;
    this.#last = null;
  }

  get #isDue(): boolean {
    if (this.#isOver) return false;
    if (this.#work !== null) return true;
    return this.#queue.length > 0 ? !this.#isStalled : this.#last !== null;
  }

  #goOn(): void {
    if (this.#isInLine) return;
    while (this.#isDue) {
      if (this.#turns.now(this.#step)) continue;
      this.#isInLine = true;
      this.#turns.later(this.#inTurn);
      return;
    }
    if (!this.#isPaused || this.#isStalled || this.#isOver) return;
    this.#isPaused = false;
    this.#sink.resume();
  }

  readonly #inTurn = (): void => {
    this.#isInLine = false;
    if (this.#isDue) this.#step();
    this.#goOn();
  };

  readonly #step = (): void => {
    try {
      if (this.#work !== null) this.#doWork(this.#work);
      else if (this.#queue.length > 0) this.#takePiece();
      // The end is no turn of its own: it leaves in one write with the last piece.
      if (this.#isDue && this.#work === null && this.#queue.length === 0) this.#takeEnd();
    } catch (error) {
      this.stop();
      this.#sink.fail(error);
    }
  };

  #takeEnd(): void {
    const last = this.#last;
    this.#last = null;
    this.#work = last?.() ?? null;
  }

  #doWork(work: Work): void {
    const { done, value } = work.next();
    if (done !== true || this.#work !== work) return;
    this.#work = null;
    this.#isStalled = !value && !this.#hasDrained;
  }

  #takePiece(): void {
    const [bytes] = this.#queue as [Buffer];
    const isWhole = bytes.length <= this.#size;
    const piece = isWhole ? bytes : bytes.subarray(0, this.#size);
    if (isWhole) this.#queue.shift();
    else this.#queue[0] = bytes.subarray(this.#size);
    const from = performance.now();
    const taken = this.#sink.take(piece);
    this.#measure(piece.length, performance.now() - from);
    if (this.#isOver) return;
    if (typeof taken === 'boolean') this.#isStalled = !taken;
    else {
      this.#work = taken;
      this.#hasDrained = false;
    }
  }

  #measure(length: number, milliseconds: number): void {
    if (milliseconds > GOAL_MS)
      this.#size = Math.max(SHORTEST_PIECE, Math.floor((Math.min(length, this.#size) * GOAL_MS) / milliseconds));
    else if (length === this.#size && milliseconds < GOAL_MS / 2) this.#size = Math.min(LONGEST_PIECE, this.#size * 2);
  }
}

/** Work, and what follows it. */
export function* afterWork(work: Generator<undefined, unknown>, next: () => Work | null): Work {
  yield* work;
  const more = next();
  return more === null ? true : yield* more;
}
