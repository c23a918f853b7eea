import type { IncomingMessage } from 'node:http';
import { Agent, get } from 'node:https';
import { getCACertificates } from 'node:tls';
import { BRAND } from '@gateway/contract';
import { whyUnreached } from './unreached.ts';

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
