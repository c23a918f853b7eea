import { WrongUsage } from '../context/fault.ts';

/** The sequence that an option names; 0, before the first entry, if it is absent. */
export function sequenceOf(option: string, text = '0'): bigint {
  if (!/^\d{1,18}$/.test(text)) throw new WrongUsage(`${option} takes the sequence of an entry.`);
  return BigInt(text);
}
