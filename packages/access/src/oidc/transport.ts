import type { IncomingMessage } from 'node:http';
import { Agent, get } from 'node:https';
import { getCACertificates } from 'node:tls';
import { BRAND, isUntrustedAuthority } from '@gateway/contract';
import { errorCode } from '@gateway/contract/error-code';
import * as z from 'zod';

/** The identity provider did not answer as one. The message is for the operator's log and contains no secret. */
export class IdentityProviderUnreachable extends Error {
  override readonly name = 'IdentityProviderUnreachable';
}

/** Fetches one JSON document of the identity provider; rejects with {@link IdentityProviderUnreachable}. */
export type OidcTransport = (address: string) => Promise<unknown>;

export interface TransportOptions {
  /** PEM: authorities in addition to those of Node.js and of the system, none of which is removed (relay-24). */
  readonly ca?: string | readonly string[] | undefined;
  /** HTTPS_PROXY and NO_PROXY, for an enterprise proxy before the identity provider. */
  readonly proxy?: Readonly<Record<string, string | undefined>> | undefined;
  /** For a whole answer, in milliseconds. */
  readonly timeoutMs?: number;
}

/** A discovery document or a key set has some kilobytes; a longer answer is neither. */
const MOST_OCTETS = 1_048_576;

/** Many web application firewalls refuse a request without a user agent; one without accepted codings may be answered in any. */
const HEADERS = { accept: 'application/json', 'accept-encoding': 'identity', 'user-agent': BRAND };

/** Requests over https only, follows no redirect, and bounds both time and size. */
export function createOidcTransport({ ca, proxy, timeoutMs = 5000 }: TransportOptions = {}): OidcTransport {
  let agent: Agent | null = null;
  return async (address) => {
    try {
      agent ??= new Agent({ ca: authoritiesBesides(ca ?? []), ...(proxy && { proxyEnv: proxy }) });
      return JSON.parse(await fetchText(address, agent, timeoutMs)) as unknown;
    } catch (error) {
      throw new IdentityProviderUnreachable(`${address}: ${whyUnreached(error)}`, { cause: error });
    }
  };
}

/** Those of Node.js and of the system, and the added ones. Read at the first use, since there are hundreds. */
export function authoritiesBesides(added: string | readonly string[]): string[] {
  return [...new Set([...getCACertificates('default'), ...getCACertificates('system'), ...[added].flat()])];
}

function fetchText(address: string, agent: Agent, timeoutMs: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(timeoutMs);
    const request = get(address, { agent, signal, headers: HEADERS }, (response) => {
      if (response.statusCode !== 200) {
        request.destroy(new Error(otherAnswer(response, address)));
        return;
      }
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
        if (text.length > MOST_OCTETS) request.destroy(new Error('its answer is longer than a megabyte'));
      });
      response.once('end', () => resolve(text));
      response.once('error', reject);
    });
    request.once('error', (error) => reject(signal.aborted ? new Error(`no answer within ${timeoutMs} ms`) : error));
  });
}

/** The redirect's target is shown without its query, which may contain secrets of a sign-in page. */
function otherAnswer({ statusCode, headers }: IncomingMessage, address: string): string {
  const target = headers.location === undefined ? null : URL.parse(headers.location, address);
  const answer = `it answered with status ${statusCode}`;
  return target === null
    ? answer
    : `${answer} and leads to ${target.origin}${target.pathname}, but no redirect is followed`;
}

/** The message of OpenSSL, among numbers and source locations. */
const OPENSSL = /:SSL routines:[^:]*:([^:]+)/;

/** Why an identity provider did not answer, as the end of a sentence: the network's error, and the variable that fixes it. */
export function whyUnreached(error: unknown): string {
  const cause = innermost(error);
  if (!(cause instanceof Error)) return String(cause);
  const code = errorCode(cause);
  if (isUntrustedAuthority(code))
    return `its certificate is of an authority that is not trusted (${code}): name that authority in OIDC_TLS_CA_FILE`;
  const failed = OPENSSL.exec(cause.message)?.[1];
  if (failed !== undefined) return `TLS failed: ${failed}`;
  return cause.message.split('\n', 1)[0] || code || cause.name;
}

/** Libraries wrap what happened; trying several addresses of one name fails with one error about all of them and no message of its own. */
function innermost(error: unknown): unknown {
  if (error instanceof AggregateError && error.errors.length > 0) return innermost(error.errors[0]);
  return error instanceof Error && error.cause instanceof Error ? innermost(error.cause) : error;
}

/**
 * Reads an OIDC_ISSUER: an absolute https URL without query or fragment (console-4). No user info either:
 * it would be shown to every workstation that discovers the identity provider.
 * @returns the fault as the end of a sentence, or null where the address is one
 */
export function issuerFault(text: string): string | null {
  const url = URL.parse(text);
  if (url === null) return 'is not an absolute URL';
  if (url.protocol !== 'https:') return 'does not start with https://';
  if (text.includes('?') || text.includes('#')) return 'carries a query or a fragment';
  if (url.username !== '' || url.password !== '') return 'carries a user name or a password';
  return null;
}

/** Where an identity provider describes itself (OpenID Connect Discovery 1.0, section 4). */
export function discoveryAddress(issuer: string): string {
  return `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
}

/** Longer addresses are refused, because the log quotes them. */
const LONGEST = 2000;

const httpsAddress = z.url({
  protocol: /^https$/,
  error: ({ input }) => (typeof input === 'string' ? `is not an https address: ${printable(input)}` : undefined),
});

/** The discovery document (OpenID Connect Discovery 1.0, section 3). Other members stay in it. */
const description = z.looseObject({ issuer: z.string().max(LONGEST), jwks_uri: httpsAddress.max(LONGEST) });

type ProviderDescription = z.infer<typeof description>;

/** Fetches an identity provider's description. Rejects with {@link IdentityProviderUnreachable}, whose message is for the operator. */
/** @param setting what the operator set the issuer with, for the message */
export async function discoverIdentityProvider(
  issuer: string,
  fetchJson: OidcTransport,
  setting = 'OIDC_ISSUER',
): Promise<ProviderDescription> {
  const address = discoveryAddress(issuer);
  const found = readDocument(description, await fetchJson(address), `${address}: the discovery document`);
  if (found.issuer === issuer) return found;
  throw new IdentityProviderUnreachable(
    `${address}: its issuer is ${JSON.stringify(found.issuer)}, and ${setting} is ${JSON.stringify(issuer)}; the two must be exactly equal`,
  );
}

/** @param what names the document in the message of the fault */
export function readDocument<Shape extends z.ZodType>(shape: Shape, document: unknown, what: string): z.infer<Shape> {
  const { success, data, error } = shape.safeParse(document);
  if (success) return data;
  const faults = error.issues.map(({ path, message }) => [...path, message].join(' '));
  throw new IdentityProviderUnreachable(`${what} is not valid: ${faults.join('; ')}`);
}

function printable(text: string): string {
  return JSON.stringify(text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);
}
