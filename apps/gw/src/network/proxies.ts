import { errorCode, firstError } from '@gateway/contract/error-code';
import { WrongUsage } from '../process/fault.ts';

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
