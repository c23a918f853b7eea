import type { Json, KeptMembers } from './types.ts';

/** Members whose text nobody reads: a change would make them invalid. */
const OPAQUE = /signature|encrypted|^data$|^id$/i;

/** The members with their readable texts masked. */
export function maskMembers(members: KeptMembers, mask: (text: string) => string): KeptMembers {
  const masked = (value: Json, name: string): Json => {
    if (typeof value === 'string') return OPAQUE.test(name) ? value : mask(value);
    if (Array.isArray(value)) return value.map((one: Json) => masked(one, name));
    return typeof value === 'object' && value !== null
      ? Object.fromEntries(Object.entries(value).map(([member, one]) => [member, masked(one, member)]))
      : value;
  };
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [name, masked(value, name)]));
}
