import type * as Https from 'node:https';
import { errorCode, errorMessage, firstError } from '@gateway/contract/error-code';
import { WrongUsage } from './fault.ts';

/**
 * `fetch` by the proxies that the variables name (HTTPS_PROXY, HTTP_PROXY, NO_PROXY). Node reads them at its start only
 * where NODE_USE_ENV_PROXY asks for it.
 * @throws WrongUsage where one of them is no address
 */
export function createFetch(variables: ReadonlyMap<string, string>): typeof fetch {
  const proxies = proxyVariables(variables);
  if (Object.keys(proxies).length === 0) return (...request) => fetch(...request); // loading it costs 35 ms
  http.setGlobalProxyFromEnv({ ...proxies });
  return async (input, init) => {
    try {
      return await fetch(input, init);
    } catch (error) {
      if (!(error instanceof Error) || error.cause === undefined) throw error;
      const url = input instanceof Request ? input.url : String(input);
      error.cause = atProxy(error.cause, url, variables);
      throw error;
    }
  };
}

/**
 * `node:http` without an import: an import reads every export, and one of them (WebSocket) loads undici. Each start of a
 * session would pay for it.
 */
export const http = process.getBuiltinModule('node:http');

/** `node:https`, which loads TLS, on first use. */
export function loadHttps(): typeof Https {
  return process.getBuiltinModule('node:https');
}

/** In the order of Node.js, by the protocol of the address that is asked. */
const VARIABLES: Readonly<Record<string, readonly string[]>> = {
  'http:': ['http_proxy', 'HTTP_PROXY'],
  'https:': ['https_proxy', 'HTTPS_PROXY'],
};
const PROXY = /^(?:https?_proxy|no_proxy)$/i;

/** A connection that failed at the proxy, not at the address that was asked. */
export class ProxyFailed extends Error {
  readonly code: string;
  constructor(message: string, code: string) {
    super(message);
    this.code = code;
  }
}

/**
 * The variables that name proxies and exceptions.
 * @throws WrongUsage naming the variable whose value is no address of a proxy
 */
export function proxyVariables(variables: ReadonlyMap<string, string>): Readonly<Record<string, string>> {
  for (const name of Object.values(VARIABLES).flat()) {
    const value = variables.get(name) ?? '';
    const url = value.includes('://') ? URL.parse(value) : null;
    if (value !== '' && (url === null || !/^https?:$/.test(url.protocol) || url.hostname === ''))
      throw new WrongUsage(
        `${name} is no address of a proxy. Set it to one of http or https, as http://proxy.example:3128, or unset it.`,
      );
  }
  return Object.fromEntries([...variables].filter(([name]) => PROXY.test(name)));
}

/** The error of a connection, as one that names the proxy where it failed there. */
export function atProxy(error: unknown, target: string, variables: ReadonlyMap<string, string>): unknown {
  const { protocol } = new URL(target);
  const variable = VARIABLES[protocol]?.find((name) => (variables.get(name) ?? '') !== '');
  const proxy = variable === undefined ? null : URL.parse(variables.get(variable) ?? '');
  if (variable === undefined || proxy === null) return error;
  const inner = firstError(error) as { readonly port?: unknown; readonly hostname?: unknown } | null;
  const port = Number(proxy.port || (proxy.protocol === 'https:' ? 443 : 80));
  if (inner?.port !== port && inner?.hostname !== proxy.hostname) return error;
  const code = errorCode(error);
  const address = `${proxy.protocol}//${proxy.host}`;
  const isUnknown = code === 'ENOTFOUND' || code === 'EAI_AGAIN';
  const what = isUnknown ? `the name of the proxy ${address} is not known` : `the proxy ${address} does not answer`;
  return new ProxyFailed(`${what} (${code}). Start it, or correct or unset ${variable}`, code);
}

/** Protocol, host and port: what of an address is shown to people. */
export function originOf(url: string): string {
  return new URL(url).origin;
}

const BROKEN = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'EAI_AGAIN', 'ECONNABORTED']);

/** Whether a connection was refused or broke: another try may succeed. */
export function isBrokenConnection(error: unknown): boolean {
  return BROKEN.has(errorCode(firstError(error)));
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there. Start the gateway, or correct its address in the configuration.',
  ENOTFOUND: 'its name is not known. Correct the address in the configuration.',
  EAI_AGAIN: 'its name could not be looked up. Check the network.',
  ECONNRESET: 'the connection was closed.',
  ETIMEDOUT: 'it did not answer in time. Check the network.',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate has an authority that is not known. Set NODE_EXTRA_CA_CERTS to its file.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'its certificate has an authority that is not known. Set NODE_EXTRA_CA_CERTS to its file.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed. Set NODE_EXTRA_CA_CERTS to its file.',
  CERT_HAS_EXPIRED: 'its certificate has expired.',
};

/** Why a connection failed, as the end of a sentence that begins with the address. */
export function networkReason(error: unknown): string {
  const inner = firstError(error);
  if (inner instanceof ProxyFailed) return `${inner.message}.`;
  return REASONS[errorCode(inner)] ?? `${errorMessage(inner)}.`;
}
