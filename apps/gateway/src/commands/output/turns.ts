/** Milliseconds of one turn of the event loop that the outputs of all commands together may take. */
const SHARE = 1;

/** What is asked of the runtime; a test brings its own. */
export interface Loop {
  /** Milliseconds. */
  now(): number;
  /** Calls back once in the next turn, after what arrived meanwhile was served. */
  nextTurn(work: () => void): void;
}

const LOOP: Loop = { now: () => performance.now(), nextTurn: (work) => void setImmediate(work) };

/**
 * Shares the event loop between the outputs of commands and everything else. Looking for secrets in one piece of output takes up
 * to milliseconds, and as many pieces may arrive at once as there are commands: a relayed call, which takes several turns, would
 * wait for all of them in each. So only pieces worth a share of time are looked at in one turn; the others wait in line, which
 * also gives every output its turn before any has two. At least one is looked at in each turn.
 */
export class Turns {
  readonly #loop: Loop;
  #line: (() => void)[] = [];
  #used = 0;
  #counting = false;

  constructor(loop: Loop = LOOP) {
    this.#loop = loop;
  }

  /** Does the work now where this turn's share is not used up and nobody waits. @returns false where it was not done */
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
