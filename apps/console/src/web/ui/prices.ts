const MILLION = 1_000_000;

/** Euros per token, as the API has it, to euros per million tokens, as people read it. */
export const perMillion = (perToken: number): number => Number((perToken * MILLION).toPrecision(12));
/** And back. */
export const perToken = (millionPrice: number): number => Number((millionPrice / MILLION).toPrecision(12));

const MONEY = new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'EUR', maximumFractionDigits: 6 });

/** Euros, with as many decimals as the amount needs. */
export const euros = (amount: number): string => MONEY.format(amount);

const SHORT = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'EUR',
  notation: 'compact',
  maximumSignificantDigits: 3,
});

/** Euros for an axis, all with cents or none: €0.50 and €0.75, €5 and €10, €8M. */
export const eurosAxis = (values: readonly number[]): string[] => {
  const format = values.every((value) => Number.isInteger(value)) ? SHORT : MONEY;
  return values.map((value) => format.format(value));
};

const MICROS = new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'EUR', minimumFractionDigits: 6 });

/** The euros of one call, all with the same decimals, so that a column of them can be compared. */
export const callCost = (amount: number): string => MICROS.format(amount);

const CENTS = new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'EUR' });

/** Euros, rounded to the cent for sums; less than a cent is marked as such. */
export const amount = (value: number): string => (value > 0 && value < 0.01 ? '< €0.01' : CENTS.format(value));
