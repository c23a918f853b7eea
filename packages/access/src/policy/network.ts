import { isIP } from 'node:net';

/** A network, or one address, as the engine's `ip("…")` reads it. */
export interface Network {
  readonly family: 4 | 6;
  readonly address: bigint;
  /** Bits that all its addresses share. */
  readonly prefix: number;
}

/** @returns null for what the engine may read in another way: it is then left to the engine */
export function networkOf(text: string): Network | null {
  const [written = '', prefix, ...more] = text.split('/');
  const family = isIP(written);
  // The engine takes no IPv4 address within an IPv6 one, and no zone.
  if (more.length > 0 || family === 0 || /%|:.*\./.test(written)) return null;
  const width = family === 4 ? 32 : 128;
  if (prefix !== undefined && !/^(0|[1-9]\d{0,2})$/.test(prefix)) return null;
  const bits = prefix === undefined ? width : Number(prefix);
  if (bits > width) return null;
  return family === 4
    ? { family: 4, address: number(written.split('.').map(Number), 8), prefix: bits }
    : { family: 6, address: number(groupsOf(written), 16), prefix: bits };
}

/** Whether every address of one network is in the other. */
export function liesIn(one: Network, other: Network): boolean {
  if (one.family !== other.family || one.prefix < other.prefix) return false;
  const rest = BigInt((one.family === 4 ? 32 : 128) - other.prefix);
  return one.address >> rest === other.address >> rest;
}

export function sameNetwork(one: Network, other: Network): boolean {
  return one.family === other.family && one.address === other.address && one.prefix === other.prefix;
}

/** The eight groups of an IPv6 address that is written without an IPv4 one in it. */
export function groupsOf(written: string): number[] {
  const [before = [], after = []] = written.split('::').map((half) => half.split(':').filter((group) => group !== ''));
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  return [...before, ...zeros, ...after].map((group) => Number.parseInt(group, 16));
}

function number(parts: readonly number[], bits: number): bigint {
  return parts.reduce((sum, part) => (sum << BigInt(bits)) | BigInt(part), 0n);
}
