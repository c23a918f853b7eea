import { PackedSet, type Slotted } from '../../process/packed-set.ts';

/** Milliseconds between two checks, and how late a call may be ended. */
const TICK = 250;

/** A call while it runs. */
export interface CappedCall extends Slotted {
  /** On the clock of `performance.now()`. */
  readonly begun: number;
  /** It has lasted too long. */
  expire(): void;
}

/** Ends calls that last too long, with one timer for all: nearly every call ends long before. No call is ended early. */
export class DurationCap {
  /** The longest duration of a call. */
  readonly milliseconds: number;
  readonly #calls = new PackedSet<CappedCall>();
  #timer: NodeJS.Timeout | null = null;

  constructor(milliseconds: number) {
    this.milliseconds = milliseconds;
  }

  add(call: CappedCall): void {
    this.#calls.add(call);
    if (this.#timer === null) this.#arm();
  }

  /** The call has ended by itself. */
  delete(call: CappedCall): void {
    this.#calls.delete(call);
  }

  readonly #check = (): void => {
    const last = performance.now() - this.milliseconds;
    for (const call of this.#calls.all()) if (call.begun <= last && this.#calls.delete(call)) call.expire();
    this.#timer = null;
    if (this.#calls.size > 0) this.#arm();
  };

  #arm(): void {
    this.#timer = setTimeout(this.#check, TICK).unref();
  }
}
