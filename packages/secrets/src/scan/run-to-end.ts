/** What a work that pauses now and then comes to, without its pauses. */
export function runToEnd<Result>(run: Generator<undefined, Result>): Result {
  for (let step = run.next(); ; step = run.next()) if (step.done === true) return step.value;
}
