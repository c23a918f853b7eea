const COUNT = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 0 });
// The British short form of a million is m, which is also a thousandth.
const SHORT = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });

/** A whole number with its groups of three. */
export const count = (value: number): string => COUNT.format(value);

/** Numbers for an axis: 1.2K, 3M. */
export const countAxis = (values: readonly number[]): string[] => values.map((value) => SHORT.format(value));

/** Milliseconds up to ten seconds, then seconds; a dash where nothing was measured. */
export const duration = (value: number | null): string =>
  value === null ? '–' : value < 10_000 ? `${count(value)} ms` : `${(value / 1000).toFixed(1)} s`;

/** Milliseconds for an axis, all in one unit. */
export const durationAxis = (values: readonly number[]): string[] =>
  values.map((value) => (Math.max(...values) < 10_000 ? duration(value) : `${value / 1000} s`));
