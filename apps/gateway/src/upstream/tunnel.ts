import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import { buildConnector } from 'undici';
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
