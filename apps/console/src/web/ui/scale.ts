/** Tops of an axis whose half is a round number too. */
const STEPS = [1, 2, 4, 5, 6, 8, 10];

/** The end of an axis that begins at zero: the next round number at or above a value; 1 where there is nothing to show. */
export function roundUp(value: number): number {
  if (!(value > 0) || !Number.isFinite(value)) return 1;
  const unit = 10 ** Math.floor(Math.log10(value));
  const step = STEPS.find((one) => Number((one * unit).toPrecision(12)) >= value) ?? 20;
  return Number((step * unit).toPrecision(12));
}
