import { type BlockList, isIP } from 'node:net';

/** Adds an address, or a network with its prefix, to a list. @returns false where the text is neither */
export function addNetwork(list: BlockList, text: string): boolean {
  const [, address = '', prefix] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const most = isIP(address) === 6 ? 128 : 32;
  const bits = prefix === undefined ? most : Number(prefix);
  if (isIP(address) === 0 || bits > most) return false;
  list.addSubnet(address, bits, familyOf(address));
  return true;
}

/** Whether an address is in a network of a list; anything else is in none. */
export function liesIn(list: BlockList, address: string): boolean {
  return isIP(address) !== 0 && list.check(address, familyOf(address));
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}
