import { credentialsIn } from '../redaction/known-secrets.ts';
import type { Line, Probe } from './probe.ts';

const PROXIES = ['HTTPS_PROXY', 'HTTP_PROXY', 'ALL_PROXY'] as const;

export interface ProxyFacts {
  readonly variable: string;
  /** Scheme, host and port; null where the value is no address. */
  readonly address: string | null;
  /** Whether it contained a user name or password. They are left out. */
  readonly credentials: boolean;
}

export interface ProxiesFacts {
  readonly proxies: readonly ProxyFacts[];
  /** Hosts that are reached directly. */
  readonly exceptions: readonly string[];
}

export function proxiesFacts(probe: Probe): ProxiesFacts {
  const { variables } = probe.environment;
  const exceptions = probe.redaction.names(variables.get('NO_PROXY') ?? variables.get('no_proxy') ?? '');
  return { proxies: PROXIES.flatMap((name) => proxyFacts(probe, name)), exceptions };
}

function proxyFacts({ environment: { variables }, redaction, find }: Probe, name: string): readonly ProxyFacts[] {
  const found = [name, name.toLowerCase()].filter((each) => variables.has(each));
  if (new Set(found.map((each) => variables.get(each))).size > 1) {
    find({
      grade: 'hint',
      what: 'Two variables name different proxies. Programs differ in which of them they take.',
      where: found.join(' and '),
      fix: 'Give both the same value, or unset one.',
    });
  }
  return found.map((variable) => {
    const value = variables.get(variable) ?? '';
    const url = value.includes('://') ? URL.parse(value) : null;
    const usable = url !== null && /^https?:$/.test(url.protocol) && url.hostname !== '';
    if (!usable) {
      find({
        what: 'A proxy variable contains no address of http or https.',
        where: variable,
        fix: redaction.format`Set it to the proxy\u2019s address, as http://proxy.example:3128, or unset ${variable}.`,
      });
    }
    return {
      variable,
      address: usable ? `${url.protocol}//${url.host}` : null,
      credentials: credentialsIn(value).length > 0,
    };
  });
}

/** Whether calls to this machine are sent through a proxy, which cannot reach it. */
export function detours({ proxies, exceptions }: ProxiesFacts, address: URL): boolean {
  const host = address.hostname.replace(/^\[|\]$/g, '');
  if (host !== 'localhost' && host !== '::1' && !host.startsWith('127.')) return false;
  const through = `${address.protocol.slice(0, -1)}_proxy`;
  const proxied = proxies.some(({ variable }) => [through, 'all_proxy'].includes(variable.toLowerCase()));
  const networks = host.startsWith('127.') ? ['127.0.0.0/8'] : [];
  const port = address.port || (address.protocol === 'https:' ? '443' : '80');
  const names = [host, address.hostname].flatMap((name) => [name, `${name}:${port}`]);
  return proxied && ![...names, '*', ...networks].some((each) => exceptions.includes(each));
}

export function proxiesLines({ proxies, exceptions }: ProxiesFacts): readonly Line[] {
  const lines = proxies.map(({ variable, address, credentials }): Line => {
    return [variable, `${address ?? 'set, but no address'}${credentials ? ' (credentials left out)' : ''}`];
  });
  return [
    ...(lines.length > 0 ? lines : [['Proxy', 'none is set'] as const]),
    ['NO_PROXY', exceptions.length === 0 ? 'not set' : exceptions.join(', ')],
  ];
}
