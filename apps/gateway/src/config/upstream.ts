import {
  CERTIFICATE_CHECK,
  PROXY_FORM,
  type Reading,
  readProxy,
  refuseUnverified,
  type Variable,
  wholeNumber,
} from '@gateway/configuration';
import { type CertificatePair, readAuthorities, readPair } from './certificate-pair.ts';

const httpsProxy: Variable = {
  name: 'HTTPS_PROXY',
  form: PROXY_FORM,
  fallback: 'no proxy',
  effect:
    'Proxy for providers whose Base URL is https, for the identity provider, and for a log collector at an https address. The name in lower case is read too.',
};
const httpProxy: Variable = {
  name: 'HTTP_PROXY',
  form: PROXY_FORM,
  fallback: 'no proxy',
  effect: 'Proxy for providers whose Base URL is http. The name in lower case is read too.',
};
const noProxy: Variable = {
  name: 'NO_PROXY',
  form: 'host names, domains (.example.org), addresses or networks, each with an optional port, separated by commas; * for all',
  fallback: 'nothing is excepted',
  effect: 'Hosts that are reached directly without the proxy. The name in lower case is read too.',
};
const authorityFile: Variable = {
  name: 'UPSTREAM_TLS_CA_FILE',
  form: 'the path of a PEM file with one or more certificates',
  fallback: 'the authorities of the system and of Node.js',
  effect:
    'Adds certificate authorities for the connections to providers, to the identity provider and to the log collector. It removes none.',
};
const clientCertificateFile: Variable = {
  name: 'UPSTREAM_TLS_CLIENT_CERT_FILE',
  form: 'the path of a PEM file',
  fallback: 'no client certificate',
  effect: 'Client certificate presented to providers. Set together with UPSTREAM_TLS_CLIENT_KEY_FILE.',
};
const clientKeyFile: Variable = {
  name: 'UPSTREAM_TLS_CLIENT_KEY_FILE',
  form: 'the path of a PEM file',
  fallback: 'no client certificate',
  effect: 'Private key of UPSTREAM_TLS_CLIENT_CERT_FILE.',
};
const idle = wholeNumber({
  name: 'GATEWAY_UPSTREAM_IDLE_SECONDS',
  of: 'seconds',
  least: 1,
  most: 86_400,
  fallback: 300,
  effect: 'How long a running answer may be silent before it is cut, and how long a caller may read nothing.',
});

const keyPattern: Variable = {
  name: 'GATEWAY_ENGINE_KEY_PATTERN',
  form: 'a regular expression that the whole name of a variable must match, such as ENGINE_[A-Z0-9_]+',
  fallback: 'any name that is not known to configure something else',
  effect:
    'Restricts the variables that providers may name for their keys (API Key Env). Variables of the programs, and those with credentials of a cloud, are never read.',
};

export const UPSTREAM_VARIABLES: readonly Variable[] = [
  httpsProxy,
  httpProxy,
  noProxy,
  authorityFile,
  clientCertificateFile,
  clientKeyFile,
  idle,
  keyPattern,
  CERTIFICATE_CHECK,
];

/** PEM texts for every outbound TLS connection, checked at start. */
export interface UpstreamTls {
  readonly addedAuthorities: readonly string[];
  readonly client: CertificatePair | null;
}

export interface UpstreamConfiguration {
  readonly httpsProxy: URL | null;
  readonly httpProxy: URL | null;
  readonly noProxy: string | null;
  readonly tls: UpstreamTls;
  /** Milliseconds. */
  readonly idleTimeout: number;
  /** What the name of a variable with a provider's key must match as a whole; null: any. */
  readonly keyPattern: RegExp | null;
}

export function readUpstream(reading: Reading): UpstreamConfiguration {
  refuseUnverified(reading, authorityFile);
  return {
    httpsProxy: readProxy(reading, httpsProxy),
    httpProxy: readProxy(reading, httpProxy),
    noProxy: reading.textInEitherCase(noProxy),
    tls: {
      addedAuthorities: readAuthorities(reading, authorityFile),
      client: readPair(reading, clientCertificateFile, clientKeyFile),
    },
    idleTimeout: 1000 * reading.wholeNumber(idle),
    keyPattern: readPattern(reading),
  };
}

function readPattern(reading: Reading): RegExp | null {
  const text = reading.text(keyPattern);
  if (text === null) return null;
  try {
    return new RegExp(`^(?:${text})$`);
  } catch {
    reading.fault(keyPattern, `is no regular expression: ${JSON.stringify(text)}. Set it to one, or remove it.`);
    return null;
  }
}
