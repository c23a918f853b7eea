import { WrongUsage } from '../context/fault.ts';

/** The sequence of an entry that an option takes; 0, which stands before the first, where it is absent. */
export function sequenceOf(option: string, text = '0'): bigint {
  if (!/^\d{1,18}$/.test(text)) throw new WrongUsage(`${option} takes the sequence of an entry.`);
  return BigInt(text);
}
