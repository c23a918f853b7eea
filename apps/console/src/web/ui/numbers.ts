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

/** How many choices are drawn at once, and from how many on one may type to find one. */
const DRAWN = 100;
const FOUND_BY_EYE = 12;

/** A choice as the library's `Select` takes it. */
export interface Choice {
  readonly value: string;
  readonly label: string;
}

/** Properties of `Select`. A long list is filtered by typing, and only the first hundred matches are drawn. */
export function many(choices: readonly Choice[]) {
  return {
    data: [...choices],
    searchable: choices.length > FOUND_BY_EYE,
    limit: DRAWN,
    nothingFoundMessage: 'Nothing matches',
  };
}

const MILLION = 1_000_000;

/** Euros per token, as the API has it, to euros per million tokens, as people read it. */
export const perMillion = (perToken: number): number => Number((perToken * MILLION).toPrecision(12));
/** And back. */
export const perToken = (millionPrice: number): number => Number((millionPrice / MILLION).toPrecision(12));

const MONEY = new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'EUR', maximumFractionDigits: 6 });

/** Euros, with as many decimals as the amount needs. */
export const euros = (amount: number): string => MONEY.format(amount);

const PRICE_SHORT = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'EUR',
  notation: 'compact',
  maximumSignificantDigits: 3,
});

/** Euros for an axis, all with cents or none: €0.50 and €0.75, €5 and €10, €8M. */
export const eurosAxis = (values: readonly number[]): string[] => {
  const format = values.every((value) => Number.isInteger(value)) ? PRICE_SHORT : MONEY;
  return values.map((value) => format.format(value));
};

const MICROS = new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'EUR', minimumFractionDigits: 6 });

/** The euros of one call, all with the same decimals, so that a column of them can be compared. */
export const callCost = (amount: number): string => MICROS.format(amount);

const CENTS = new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'EUR' });

/** Euros, rounded to the cent for sums; less than a cent is marked as such. */
export const amount = (value: number): string => (value > 0 && value < 0.01 ? '< €0.01' : CENTS.format(value));
