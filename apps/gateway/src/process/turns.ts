/**
 * Milliseconds of one turn of the event loop that all long work together may take: a call needs some ten turns, and waits for the
 * share of each.
 */
const SHARE = 1;

/** The runtime functions in use; a test provides its own. */
export interface Loop {
  /** Milliseconds. */
  now(): number;
  /** Calls back once in the next turn, after what arrived meanwhile was served. */
  nextTurn(work: () => void): void;
}

const LOOP: Loop = { now: () => performance.now(), nextTurn: (work) => void setImmediate(work) };

/**
 * Shares the event loop between long work and everything else: bodies, answers and outputs of commands that are read, scanned and
 * metered. A piece takes up to milliseconds, and many may arrive at once; each call would wait for all of them. So each turn works
 * for one time slice, on one piece at least; the others queue, and are served in order.
 */
export class Turns {
  readonly #loop: Loop;
  #line: (() => void)[] = [];
  #used = 0;
  #counting = false;

  constructor(loop: Loop = LOOP) {
    this.#loop = loop;
  }

  /** Runs the work now if this turn's time slice is not used up and the queue is empty. @returns false where it did not run */
  now(work: () => void): boolean {
    if (this.#line.length > 0 || this.#used >= SHARE) return false;
    this.#do(work);
    this.#count();
    return true;
  }

  /** Does the work in one of the next turns. */
  later(work: () => void): void {
    this.#line.push(work);
    this.#count();
  }

  /** Runs work that pauses, with other work in its pauses. */
  run<Result>(work: Iterator<undefined, Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      const step = (): void => {
        try {
          const { done, value } = work.next();
          if (done === true) resolve(value);
          else this.later(step);
        } catch (error) {
          reject(error);
        }
      };
      if (!this.now(step)) this.later(step);
    });
  }

  #do(work: () => void): void {
    const begun = this.#loop.now();
    try {
      work();
    } finally {
      this.#used += this.#loop.now() - begun;
    }
  }

  /** What is used of a turn counts until the next one. */
  #count(): void {
    if (this.#counting) return;
    this.#counting = true;
    this.#loop.nextTurn(() => this.#turn());
  }

  #turn(): void {
    this.#counting = false;
    this.#used = 0;
    const line = this.#line;
    let done = 0;
    try {
      while (done < line.length && this.#used < SHARE) this.#do(line[done++] as () => void);
    } finally {
      this.#line = line.slice(done);
      if (line.length > 0) this.#count();
    }
  }
}

/** Of all long work of this process. */
export const TURNS = new Turns();
