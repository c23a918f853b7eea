/** Numbers that one seed repeats (mulberry32). */
export interface Random {
  /** From 0 to below `end`. */
  below(end: number): number;
  pick<Item>(items: readonly Item[]): Item;
  shuffled<Item>(items: readonly Item[]): Item[];
}

export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (end: number): number => Math.floor(next() * end);
  return {
    below,
    pick(items) {
      const item = items[below(items.length)];
      if (item === undefined) throw new Error('There is nothing to pick from.');
      return item;
    },
    shuffled(items) {
      const list = [...items];
      for (let last = list.length - 1; last > 0; last -= 1) {
        const other = below(last + 1);
        [list[last], list[other]] = [list[other] as never, list[last] as never];
      }
      return list;
    },
  };
}
