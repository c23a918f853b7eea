import { setImmediate as soon } from 'node:timers/promises';
import { TURNS } from '../../process/turns.ts';

/** Runs work that pauses, with other work in its pauses. */
export function inSlices<Result>(work: Iterator<undefined, Result>): Promise<Result> {
  return TURNS.run(work);
}

/** The same without the pauses, for work that is short. */
export function atOnce<Result>(work: Iterator<undefined, Result>): Result {
  for (let step = work.next(); ; step = work.next()) if (step.done === true) return step.value;
}

/** The pieces of something long, with other work between any two of them. */
export async function* withPauses<Piece>(pieces: Iterable<Piece>): AsyncGenerator<Piece, void> {
  for (const piece of pieces) {
    yield piece;
    await soon();
  }
}
