import type { Model } from './types.ts';

/** Euros of one call; null where the model has no prices or the engine does not count. */
export function costOf(
  usage: { readonly input: number; readonly output: number } | null,
  prices: Model['prices'],
): number | null {
  return usage === null || prices === null
    ? null
    : (usage.input * prices.input + usage.output * prices.output) / 1_000_000;
}

export function addCost(one: number | null, more: number | null): number | null {
  return one === null ? more : one + (more ?? 0);
}
