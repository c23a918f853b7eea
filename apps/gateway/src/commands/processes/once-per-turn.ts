/**
 * What is read at most once in a turn of the event loop, and shared by all who ask in that turn. For what takes long to read and
 * may be as old as the turn.
 */
export function oncePerTurn<Value>(
  read: () => Value,
  nextTurn: (work: () => void) => void = setImmediate,
): () => Value {
  let kept: { readonly value: Value } | null = null;
  return () => {
    if (kept === null) {
      kept = { value: read() };
      nextTurn(() => {
        kept = null;
      });
    }
    return kept.value;
  };
}
