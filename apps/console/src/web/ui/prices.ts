const MILLION = 1_000_000;

/** Euros per token, as the API has it, to euros per million tokens, as people read it. */
export const perMillion = (perToken: number): number => Number((perToken * MILLION).toPrecision(12));
/** And back. */
export const perToken = (millionPrice: number): number => Number((millionPrice / MILLION).toPrecision(12));

const MONEY = new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'EUR', maximumFractionDigits: 6 });

/** Euros, with as many decimals as the amount needs. */
export const euros = (amount: number): string => MONEY.format(amount);
