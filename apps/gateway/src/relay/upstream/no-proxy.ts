import { BlockList, isIP } from 'node:net';

/** Whether a host is reached directly although a proxy is set. */
export type NoProxy = (hostname: string, port: number) => boolean;

/**
 * NO_PROXY in the form curl and Go share: names match themselves and everything below them, a leading dot or `*.` is
 * allowed, addresses and networks match addresses, `host:port` matches that port alone, `*` matches all.
 */
export function parseNoProxy(text: string | null): NoProxy {
  const rules = (text ?? '')
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .map(ruleOf);
  return (hostname, port) => rules.some((matches) => matches(hostname.toLowerCase(), port));
}

function ruleOf(entry: string): NoProxy {
  if (entry === '*') return () => true;
  const network = networkOf(entry);
  if (network !== null) return (hostname) => isIP(hostname) !== 0 && network.check(hostname, familyOf(hostname));
  const [, name = '', port] = /^\[?(.*?)\]?(?::(\d{1,5}))?$/.exec(entry.toLowerCase()) ?? [];
  const bare = name.replace(/^\*?\./, '');
  return (hostname, on) =>
    (hostname === bare || hostname.endsWith(`.${bare}`)) && (port === undefined || Number(port) === on);
}

function networkOf(entry: string): BlockList | null {
  const [, address = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(entry.replace(/^\[(.*)\]$/, '$1')) ?? [];
  const version = isIP(address);
  if (version === 0) return null;
  const most = version === 6 ? 128 : 32;
  const prefix = bits === undefined ? most : Number(bits);
  if (prefix > most) return null;
  const list = new BlockList();
  list.addSubnet(address, prefix, familyOf(address));
  return list;
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}
