import { BlockList } from 'node:net';
import { addNetwork, liesIn } from '@gateway/configuration';

/** Whether a host is reached directly although a proxy is set. */
export type NoProxy = (hostname: string, port: number) => boolean;

/**
 * NO_PROXY in the form curl and Go share: names match themselves and everything below them, a leading dot or `*.` is
 * allowed, addresses and networks match addresses, `host:port` matches only that port, `*` matches all.
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
  const network = new BlockList();
  if (addNetwork(network, entry.replace(/^\[(.*)\]$/, '$1'))) return (hostname) => liesIn(network, hostname);
  const [, name = '', port] = /^\[?(.*?)\]?(?::(\d{1,5}))?$/.exec(entry.toLowerCase()) ?? [];
  const bare = name.replace(/^\*?\./, '');
  return (hostname, on) =>
    (hostname === bare || hostname.endsWith(`.${bare}`)) && (port === undefined || Number(port) === on);
}
