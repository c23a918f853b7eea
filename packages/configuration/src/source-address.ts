import { BlockList, isIP } from 'node:net';
import { printable, type Reading, type Variable } from './reading.ts';

/**
 * The recorded address of a request. X-Forwarded-For counts only where the peer is a declared proxy, and then up to the first
 * address, from the right, that is no declared proxy itself; with an empty list, it is ignored.
 */
export function sourceAddressOf(
  peer: string | undefined,
  forwardedFor: string | null,
  trusted: BlockList | null,
): string | null {
  let address = plain(peer ?? '');
  if (address === '') return null;
  if (trusted === null || forwardedFor === null) return address;
  const hops = forwardedFor.split(',').map((hop) => plain(withoutPort(hop.trim())));
  while (liesIn(trusted, address)) {
    const before = hops.pop();
    if (before === undefined || isIP(before) === 0) return address;
    address = before;
  }
  return address;
}

/** Azure's proxies write the port, too: `192.0.2.7:51234`, `[2001:db8::7]:443`. */
const IPV4_WITH_PORT = /^([\d.]+):\d{1,5}$/;
const IN_BRACKETS = /^\[([^\]]+)\](?::\d{1,5})?$/;

function withoutPort(hop: string): string {
  return (IPV4_WITH_PORT.exec(hop) ?? IN_BRACKETS.exec(hop))?.[1] ?? hop;
}

/** An IPv4 peer of a dual-stack socket is written as IPv4. */
function plain(address: string): string {
  return address.startsWith('::ffff:') && isIP(address.slice(7)) === 4 ? address.slice(7) : address;
}

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

export const TRUSTED_PROXIES: Variable = {
  name: 'GATEWAY_TRUSTED_PROXIES',
  form: 'addresses or networks separated by commas, for example 10.0.0.4,192.168.0.0/16',
  fallback: 'none: X-Forwarded-For has no effect',
  effect:
    'Peers whose X-Forwarded-For header is trusted. It gives the source address of a request for the logs, for policies and for the throttle of the console.',
};

/** The proxies whose X-Forwarded-For is trusted; null without any. */
export function readTrustedProxies(reading: Reading): BlockList | null {
  const text = reading.text(TRUSTED_PROXIES);
  if (text === null) return null;
  const list = new BlockList();
  for (const entry of text.split(',').map((one) => one.trim())) {
    if (!addNetwork(list, entry))
      reading.fault(
        TRUSTED_PROXIES,
        `${printable(entry)} is neither an address nor a network. Write ${TRUSTED_PROXIES.form}.`,
      );
  }
  return list;
}
