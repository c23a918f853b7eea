import { Pool } from 'undici';
import { parseBaseUrl, type UpstreamClient, type UpstreamRequest } from '../client.ts';
import { connectDirectly } from '../connector.ts';
import { PlainClient, type PlainRequest } from '../plain-client.ts';
import { undiciClient } from '../upstreams.ts';

export type ClientName = 'plain' | 'undici';

/** Both clients of the relay, with the settings that the relay gives them. */
export const CLIENTS: Readonly<Record<ClientName, (url: string, idleTimeout?: number) => UpstreamClient>> = {
  plain(url, idleTimeout = 300_000) {
    const base = parseBaseUrl(url);
    if (base === null) throw new Error(`${url} is no Base URL`);
    const client = new PlainClient(base, { idleTimeout, tick: 20 });
    return {
      send: (request, handler) => client.send(request as PlainRequest, handler),
      close: () => client.close(),
      destroy: async () => client.destroy(),
    };
  },
  undici(url, idleTimeout = 300_000) {
    const connect = connectDirectly(null);
    const maxHeaderSize = 64 * 1024;
    return undiciClient(
      new Pool(url, { pipelining: 1, headersTimeout: 0, bodyTimeout: idleTimeout, maxHeaderSize, connect }),
    );
  },
};

/** The result of a request. */
export interface Outcome {
  readonly interim: readonly number[];
  readonly status: number | null;
  readonly reason: string;
  readonly headers: readonly string[];
  /** A character a byte. */
  readonly body: string;
  /** Null: the answer is whole. */
  readonly error: Error | null;
}

const REQUEST: UpstreamRequest = { method: 'GET', path: '/', headers: [], body: null };

export function outcomeOf(client: UpstreamClient, request: Partial<UpstreamRequest> = {}): Promise<Outcome> {
  return new Promise((resolve) => {
    const interim: number[] = [];
    let begun: Pick<Outcome, 'status' | 'reason' | 'headers'> = { status: null, reason: '', headers: [] };
    let body = '';
    const end = (error: Error | null): void => resolve({ interim, ...begun, body, error });
    client.send(
      { ...REQUEST, ...request },
      {
        interim: (status) => interim.push(status),
        head(status, reason, headers) {
          begun = { status, reason, headers };
        },
        data(bytes) {
          body += bytes.toString('latin1');
          return true;
        },
        end: () => end(null),
        failed: end,
      },
    );
  });
}
