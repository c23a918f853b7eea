import { WrongUsage } from '../../process/fault.ts';
import { type Given, valueOf } from './command.ts';

/**
 * The value of an option that must be a whole number.
 * @param least smallest accepted number; `most` is the largest.
 * @public
 */
export function wholeNumber(given: Given, name: string, otherwise: number, least: number, most: number): number {
  const value = valueOf(given, name);
  if (value === null) return otherwise;
  const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
  if (!(number >= least && number <= most))
    throw new WrongUsage(`${name} must be a whole number from ${least} to ${most}, not ${JSON.stringify(value)}.`);
  return number;
}

/** The value of an option that must be one of a list; null without it. */
export function oneOf<const Values extends readonly string[]>(
  given: Given,
  name: string,
  values: Values,
): Values[number] | null {
  const value = valueOf(given, name);
  if (value === null || values.includes(value)) return value;
  throw new WrongUsage(`${name} must be ${values.join(' or ')}, not ${JSON.stringify(value)}.`);
}
