/** Counts the turns of the event loop while work runs: work that blocks it allows none. */
export async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let next: NodeJS.Immediate | undefined;
  const turn = (): void => {
    turns += 1;
    next = setImmediate(turn);
  };
  turn();
  await work();
  clearImmediate(next);
  return turns;
}
