/** Runs work one after the other: sub-agents that work side by side must not ask the person at once. */
export type InTurn = <Result>(work: (hasWaited: boolean) => Promise<Result>) => Promise<Result>;

export function createInTurn(): InTurn {
  let latest: Promise<unknown> = Promise.resolve();
  let running = 0;
  return (work) => {
    const hasWaited = running > 0;
    running += 1;
    const mine = latest.then(() => work(hasWaited));
    latest = mine.then(
      () => (running -= 1),
      () => (running -= 1),
    );
    return mine;
  };
}
