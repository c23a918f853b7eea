/** The result of pausing work, without its pauses. */
export function runToEnd<Result>(run: Generator<undefined, Result>): Result {
  for (let step = run.next(); ; step = run.next()) if (step.done === true) return step.value;
}
