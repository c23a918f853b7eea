import { type BlockList, isIP } from 'node:net';
import { liesIn } from './networks.ts';

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
