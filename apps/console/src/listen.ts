import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { addressOf, listeningFault, rememberPeer } from '@gateway/configuration';
import { type HttpBindings, serve } from '@hono/node-server';
import { askForBodiesWhenRead, bodyArrived } from './early-answers.ts';
import { cutStalledReaders } from './stalled-readers.ts';

export interface Listening {
  /** As a person can open it. */
  readonly address: string;
  readonly port: number;
  /** Accepts no new connection, waits for the answers in progress and closes the rest after this time. */
  close(milliseconds: number): Promise<void>;
}

/** How long a caller may take nothing of an answer that waits for it. */
const STALLED_MILLISECONDS = 60_000;

/** Opens the port, or says in one line why it cannot be opened. */
export async function listen(
  {
    host,
    port,
    stalledMilliseconds = STALLED_MILLISECONDS,
  }: { readonly host: string | null; readonly port: number; readonly stalledMilliseconds?: number },
  answer: (request: Request, bindings: HttpBindings) => Promise<Response>,
): Promise<Listening | { readonly fault: string }> {
  const server = serve({
    fetch: async (request, bindings) => {
      const { incoming, outgoing } = bindings as HttpBindings;
      const response = await answer(request, { incoming, outgoing });
      await bodyArrived(incoming);
      return response;
    },
    port,
    ...(host === null ? {} : { hostname: host }),
  }) as Server;
  server.on('connection', rememberPeer);
  askForBodiesWhenRead(server);
  cutStalledReaders(server, stalledMilliseconds);
  try {
    await once(server, 'listening');
  } catch (error) {
    return { fault: listeningFault(error, host, port) };
  }
  const bound = server.address() as AddressInfo;
  return {
    address: addressOf('http', host, bound.port),
    port: bound.port,
    async close(milliseconds) {
      const closed = once(server, 'close');
      server.close();
      server.closeIdleConnections();
      const cut = setTimeout(() => server.closeAllConnections(), milliseconds);
      await closed;
      clearTimeout(cut);
    },
  };
}
