import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { BlockList, type Socket } from 'node:net';
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';
import { addNetwork, liesIn } from '@gateway/configuration';
import { buildConnector } from 'undici';
import type { UpstreamTls } from '../config/upstream.ts';
import type { Connector } from './connector.ts';

/** How long a proxy may take to answer CONNECT, in milliseconds: as long as a direct connection may take. */
const CONNECT_TIMEOUT = 10_000;

/** Value of Proxy-Authorization for a proxy address that carries a user, or null. */
export function proxyAuthorization(proxy: URL): string | null {
  if (proxy.username === '' && proxy.password === '') return null;
  const pair = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  return `Basic ${Buffer.from(pair).toString('base64')}`;
}

/**
 * Opens connections to https providers through the proxy's CONNECT; the certificate verified is the provider's.
 * @param proxyContext where the proxy itself is reached over TLS
 */
export function tunnelThrough(
  proxy: URL,
  secureContext: () => SecureContext,
  proxyContext: () => SecureContext,
): Connector {
  const secure = buildConnector({ allowH2: false, secureContext: secureContext(), rejectUnauthorized: true });
  return (options, callback) => {
    const target = `${options.hostname.includes(':') ? `[${options.hostname}]` : options.hostname}:${options.port || 443}`;
    openTunnel(proxy, target, proxyContext, (error, socket) => {
      if (error !== null) callback(error, null);
      else secure({ ...options, httpSocket: socket }, callback);
    });
  };
}

type Opened = (...outcome: [null, Socket] | [Error, null]) => void;

function openTunnel(proxy: URL, target: string, proxyContext: () => SecureContext, opened: Opened): void {
  const authorization = proxyAuthorization(proxy);
  const overTls = proxy.protocol === 'https:';
  const connect = (overTls ? httpsRequest : httpRequest)({
    method: 'CONNECT',
    host: proxy.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: proxy.port === '' ? (overTls ? 443 : 80) : Number(proxy.port),
    path: target,
    headers: { host: target, ...(authorization === null ? {} : { 'proxy-authorization': authorization }) },
    agent: false,
    timeout: CONNECT_TIMEOUT,
    ...(overTls ? { secureContext: proxyContext(), rejectUnauthorized: true } : {}),
  });
  connect.once('connect', (answer, socket) => {
    socket.setTimeout(0);
    if (answer.statusCode === 200) opened(null, socket);
    else {
      socket.destroy();
      opened(new Error(`the proxy answered ${answer.statusCode} to CONNECT ${target}`), null);
    }
  });
  // Some proxies refuse with an ordinary answer.
  connect.once('response', (answer) => {
    answer.destroy();
    opened(new Error(`the proxy answered ${answer.statusCode} to CONNECT ${target}`), null);
  });
  connect.once('timeout', () => connect.destroy(new Error(`the proxy did not answer CONNECT ${target}`)));
  connect.once('error', (error) => opened(error, null));
  connect.end();
}

/** Whether a host is reached directly although a proxy is set. */
type NoProxy = (hostname: string, port: number) => boolean;

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

/**
 * Authorities and client certificate of every outbound TLS connection: those of Node.js, of the system, and the added ones; none
 * is removed. Built at the first use, because a gateway with only plain HTTP providers does not need them.
 */
export function secureContextOf(tls: UpstreamTls): () => SecureContext {
  let context: SecureContext | null = null;
  return () => {
    context ??= createSecureContext({
      ca: [...new Set([...getCACertificates('default'), ...getCACertificates('system'), ...tls.addedAuthorities])],
      ...tls.client,
    });
    return context;
  };
}
