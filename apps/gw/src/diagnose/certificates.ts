import { X509Certificate } from 'node:crypto';
import { FIXES, readText, type Unread } from '../files/reading.ts';
import { pluralize } from '../process/pluralize.ts';
import { credentialsIn } from '../redaction/redaction.ts';
import type { Line, Probe } from './probe.ts';

export interface AuthorityFacts {
  /** Variables that name the file. */
  readonly variables: readonly string[];
  readonly file: string;
  readonly state: 'read' | Unread;
  readonly certificates: number;
  readonly expired: number;
  /** The first instant at which one of them expires; null where there is none. */
  readonly nextExpiry: string | null;
}

/** Certificates of an organization's own, rather than a bundle of the public ones. */
const FEW = 10;
const PEM = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g;

/** Files that add authorities to those that Node trusts, and what takes trust away. */
export async function certificatesFacts(probe: Probe): Promise<readonly AuthorityFacts[]> {
  const { variables } = probe.environment;
  if (variables.get('NODE_TLS_REJECT_UNAUTHORIZED') === '0') {
    probe.find({
      grade: 'security',
      what: 'Certificates are not verified: anybody on the network path can read and change every call, and take the key.',
      where: 'NODE_TLS_REJECT_UNAUTHORIZED',
      fix: 'Unset it. Add the authority that is missing with NODE_EXTRA_CA_CERTS.',
    });
  }
  const openssl = /--use-openssl-ca\b/.test(variables.get('NODE_OPTIONS') ?? '');
  if (variables.has('SSL_CERT_FILE') && !variables.has('NODE_EXTRA_CA_CERTS') && !openssl) {
    probe.find({
      grade: 'hint',
      what: 'An authority is added for other programs, but not for Node.js, which does not read this variable.',
      where: 'SSL_CERT_FILE',
      fix: 'If calls fail for their certificate, set NODE_EXTRA_CA_CERTS to the same file.',
    });
  }
  const named = new Map<string, string[]>();
  for (const variable of ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE']) {
    const file = variables.get(variable);
    if (file !== undefined) named.set(file, [...(named.get(file) ?? []), variable]);
  }
  const found: AuthorityFacts[] = [];
  for (const [file, names] of named) found.push(await authorityFacts(probe, file, names));
  return found;
}

async function authorityFacts(probe: Probe, file: string, variables: readonly string[]): Promise<AuthorityFacts> {
  const where = probe.redaction.format`${file}, named by ${variables.join(' and ')}`;
  const reading = await readText(file);
  if (reading.state !== 'read') {
    const what = `A file of authorities cannot be read: ${reading.state}.`;
    probe.find({ what, where, fix: FIXES[reading.state] });
    return { variables, file, state: reading.state, certificates: 0, expired: 0, nextExpiry: null };
  }
  const now = probe.now().getTime();
  const blocks = reading.text.match(PEM) ?? [];
  const expiries = blocks.flatMap((block) => expiryOf(block) ?? []).sort((one, other) => one - other);
  const expired = expiries.filter((expiry) => expiry <= now).length;
  judge(probe, where, { text: reading.text, blocks: blocks.length, certificates: expiries.length, expired });
  const next = expiries.find((expiry) => expiry > now);
  const nextExpiry = next === undefined ? null : new Date(next).toISOString();
  return { variables, file, state: 'read', certificates: expiries.length, expired, nextExpiry };
}

function judge(
  { find }: Probe,
  where: string,
  held: { readonly text: string; readonly blocks: number; readonly certificates: number; readonly expired: number },
): void {
  const { text, blocks, certificates, expired } = held;
  if (certificates === 0) {
    const fix = 'Put the authority’s certificate into it, as PEM.';
    find({ what: 'A file of authorities contains no certificate.', where, fix });
  }
  if (certificates < blocks) {
    find({ what: 'A certificate in a file of authorities cannot be read.', where, fix: 'Copy the certificate again.' });
  }
  // A bundle of all public authorities always contains some that have expired.
  if (expired > 0 && (expired === certificates || certificates <= FEW)) {
    const what = `Of ${pluralize(certificates, 'certificate')}, ${expired === 1 ? '1 has' : `${expired} have`} expired.`;
    find({ what, where, fix: 'Ask the operator of the authority for the new ones.' });
  }
  if (/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(text)) {
    find({
      grade: 'security',
      what: 'A file of authorities holds a private key, which no authority hands out.',
      where,
      fix: 'Take the key out of it. If others could read the file, have the key replaced.',
    });
  }
}

/** Milliseconds since 1970; null where the block is no certificate. */
function expiryOf(pem: string): number | null {
  try {
    // Read as text: an older Node, which the report must name as such, has no member that is a date.
    return Date.parse(new X509Certificate(pem).validTo);
  } catch {
    return null;
  }
}

export function certificatesLines(facts: readonly AuthorityFacts[]): readonly Line[] {
  if (facts.length === 0) return [['Authorities', 'none is added']];
  return facts.map(({ variables, file, state, certificates, expired, nextExpiry }) => {
    const expiry = nextExpiry === null ? '' : `, the next expires ${nextExpiry}`;
    const held = state === 'read' ? `${pluralize(certificates, 'certificate')}, ${expired} expired${expiry}` : state;
    return [variables[0] ?? '', `${file}: ${held}`];
  });
}

const PROXIES = ['HTTPS_PROXY', 'HTTP_PROXY', 'ALL_PROXY'] as const;

interface ProxyFacts {
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
