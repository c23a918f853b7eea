import { setImmediate as soon } from 'node:timers/promises';

/** Runs work that pauses, with other work in its pauses. */
export async function inSlices<Result>(work: Iterator<undefined, Result>): Promise<Result> {
  for (let step = work.next(); ; step = work.next()) {
    if (step.done === true) return step.value;
    await soon();
  }
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
