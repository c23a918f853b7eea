import { http, loadHttps } from '../../network/node-http.ts';
import { FETCH_BYTES } from '../definition/limits.ts';
import { guardedLookup } from './addresses.ts';

/** Milliseconds for the whole answer. */
const LONGEST_MS = 30_000;

export interface Page {
  readonly status: number;
  readonly type: string;
  readonly location: string | null;
  readonly body: Buffer;
  /** The body is longer than what is read. */
  readonly cut: boolean;
}

/**
 * Gets an address once, redirects not followed, at most `FETCH_BYTES` of it. `proxies` are the variables that name the
 * proxies of the organization.
 */
export function getPage(url: URL, signal: AbortSignal, proxies: Readonly<Record<string, string>>): Promise<Page> {
  const secure = url.protocol === 'https:';
  const limit = AbortSignal.any([signal, AbortSignal.timeout(LONGEST_MS)]);
  const { Agent, get } = secure ? loadHttps() : http;
  const agent = new Agent({ proxyEnv: proxies });
  return new Promise((resolve, reject) => {
    const headers = {
      'user-agent': 'gw',
      accept: 'text/html,text/plain,text/markdown,application/json;q=0.9,*/*;q=0.5',
    };
    const request = get(url, { agent, headers, signal: limit, lookup: guardedLookup }, (answer) => {
      const parts: Buffer[] = [];
      let size = 0;
      const done = (cut: boolean): void => {
        const { location, 'content-type': type = '' } = answer.headers;
        resolve({
          status: answer.statusCode ?? 0,
          type,
          location: location ?? null,
          body: Buffer.concat(parts).subarray(0, FETCH_BYTES),
          cut,
        });
        request.destroy();
      };
      answer.on('data', (part: Buffer) => {
        parts.push(part);
        size += part.length;
        if (size > FETCH_BYTES) done(true);
      });
      answer.once('end', () => done(false));
      answer.once('error', fail);
    });
    const fail = (error: Error): void => {
      if (signal.aborted) reject(signal.reason as Error);
      else reject(limit.aborted ? new Error(`no complete answer within ${LONGEST_MS / 1000} seconds`) : error);
    };
    request.once('error', fail);
  });
}
