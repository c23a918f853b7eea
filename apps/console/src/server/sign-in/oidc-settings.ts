import { issuerFault } from '@gateway/access';
import {
  CERTIFICATE_CHECK,
  PROXY_FORM,
  type Reading,
  readAuthority,
  readProxy,
  refuseUnverified,
  type Variable,
} from '@gateway/configuration';

/** Address of the organization's identity provider, and requirements for its identity tokens. */
export interface OidcSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string | null;
  readonly audience: string;
  /** The claim that contains the subject. */
  readonly subjectClaim: string;
  readonly redirectUri: string;
  /** PEM: authorities that are trusted in addition to the machine's own. */
  readonly ca: string | null;
  /** The enterprise proxy for it, and the hosts excluded; null if it is reached directly. */
  readonly proxy: { readonly url: string; readonly except: string | null } | null;
}

/** The identity provider, or the missing variables: the console then starts and refuses all callers. */
export type OidcConfiguration =
  | { readonly identityProvider: OidcSettings }
  | { readonly identityProvider: null; readonly missing: readonly string[] };

const issuer: Variable = {
  name: 'OIDC_ISSUER',
  form: 'an absolute https URL without query or fragment',
  fallback: 'no identity provider: the console starts, and nobody can sign in',
  effect: "The organization's identity provider (OpenID Connect).",
};
const clientId: Variable = {
  name: 'OIDC_CLIENT_ID',
  form: 'the client identifier of this console at the identity provider',
  fallback: 'no identity provider: the console starts, and nobody can sign in',
  effect: 'OAuth 2 client identifier.',
};
const clientSecret: Variable = {
  name: 'OIDC_CLIENT_SECRET',
  form: 'the secret of a confidential client',
  fallback: 'a public client with PKCE only',
  effect: 'Only if the identity provider requires one.',
};
const audience: Variable = {
  name: 'OIDC_AUDIENCE',
  form: 'an audience that identity tokens carry',
  fallback: 'the value of OIDC_CLIENT_ID',
  effect: 'The audience that an identity token must have, in addition to the client itself.',
};
const redirectUri: Variable = {
  name: 'OIDC_REDIRECT_URI',
  form: "this console's own address with the path /auth/callback, as registered at the identity provider",
  fallback: 'the console starts, and nobody can sign in',
  effect: 'Redirect URI of the sign-in. With https, cookies are sent only over TLS.',
};
const subjectClaim: Variable = {
  name: 'OIDC_SUBJECT_CLAIM',
  form: 'the name of a claim',
  fallback: 'sub',
  effect: 'The claim that contains the subject, as for the gateway.',
};
const authorityFile: Variable = {
  name: 'OIDC_TLS_CA_FILE',
  form: 'the path of a PEM file with one or more certificates',
  fallback: 'the authorities of the system and of Node.js',
  effect: 'Adds certificate authorities for the connection to the identity provider. It removes none.',
};

const httpsProxy: Variable = {
  name: 'HTTPS_PROXY',
  form: PROXY_FORM,
  fallback: 'no proxy',
  effect: 'Proxy for the identity provider. The name in lower case is read too.',
};
const noProxy: Variable = {
  name: 'NO_PROXY',
  form: 'host names, domains (.example.org) or addresses, each with an optional port, separated by commas; * for all',
  fallback: 'nothing is excepted',
  effect:
    'An identity provider among these hosts is reached directly without the proxy. The name in lower case is read too.',
};

export const OIDC_VARIABLES: readonly Variable[] = [
  issuer,
  clientId,
  clientSecret,
  audience,
  redirectUri,
  subjectClaim,
  authorityFile,
  httpsProxy,
  noProxy,
  CERTIFICATE_CHECK,
];

/** Reads the identity provider. A malformed setting is a fault; a missing one is logged (console-4). */
export function readOidc(reading: Reading): OidcConfiguration {
  const [address, client, back] = [reading.text(issuer), reading.text(clientId), reading.text(redirectUri)];
  const fault = address === null ? null : issuerFault(address);
  if (fault !== null) reading.fault(issuer, `${fault}. Set it to ${issuer.form}.`);
  if (back !== null && !isRedirectUri(back)) reading.fault(redirectUri, `must be ${redirectUri.form}.`);
  const ca = readAuthority(reading, authorityFile, reading.file(authorityFile));
  const proxy = readProxy(reading, httpsProxy);
  refuseUnverified(reading, authorityFile);
  if (address === null || client === null || back === null) {
    const needed = [issuer, clientId, redirectUri];
    return {
      identityProvider: null,
      missing: needed.filter((one) => reading.text(one) === null).map(({ name }) => name),
    };
  }
  return {
    identityProvider: {
      issuer: address,
      clientId: client,
      clientSecret: reading.text(clientSecret),
      audience: reading.text(audience) ?? client,
      subjectClaim: reading.text(subjectClaim) ?? 'sub',
      redirectUri: back,
      ca,
      proxy: proxy && { url: proxy.href, except: reading.textInEitherCase(noProxy) },
    },
  };
}

function isRedirectUri(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || !['https:', 'http:'].includes(url.protocol)) return false;
  return url.pathname === '/auth/callback' && !/[?#]/.test(text) && url.username === '' && url.password === '';
}
