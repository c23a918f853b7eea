import type { Socket } from 'node:net';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { startRawEngine } from '../testing/raw-engine.ts';
import { CLIENTS, type ClientName, type Outcome, outcomeOf } from './testing/clients.ts';

const NAMES = Object.keys(CLIENTS) as ClientName[];
const OK = 'HTTP/1.1 200 OK\r\n';

/** How an engine treats one request: the rest of the connection is never part of its answer. */
const TREATMENTS = {
  whole: (id: string) => `${OK}content-length: ${id.length}\r\n\r\n${id}`,
  chunked: (id: string) => `${OK}transfer-encoding: chunked\r\n\r\n${id.length.toString(16)}\r\n${id}\r\n0\r\n\r\n`,
  hinted: (id: string) => `HTTP/1.1 103 Early Hints\r\nlink: <${id}>\r\n\r\n${TREATMENTS.whole(id)}`,
  twice: (id: string) => TREATMENTS.whole(id) + TREATMENTS.whole('another answer'),
  'with garbage': (id: string) => `${TREATMENTS.chunked(id)}garbage\r\n`,
  'not modified, with a body': () => 'HTTP/1.1 304 Not Modified\r\ncontent-length: 5\r\n\r\nstray',
  'announced closing': (id: string) => `${OK}connection: close\r\ncontent-length: ${id.length}\r\n\r\n${id}`,
  short: (id: string) => `${OK}content-length: ${id.length + 9}\r\n\r\n${id}`,
  'broken chunk': (id: string) => `${OK}transfer-encoding: chunked\r\n\r\n${id.length.toString(16)}\r\n${id}x`,
  'no HTTP': () => 'no HTTP at all\r\n\r\n',
  reset: () => '',
} as const;
type Treatment = keyof typeof TREATMENTS;

/** Treatments of which the caller gets the whole answer. */
const WHOLE: readonly Treatment[] = ['whole', 'chunked', 'hinted', 'twice', 'with garbage', 'announced closing'];
/** After these the engine closes. */
const CLOSING: readonly Treatment[] = ['announced closing', 'short', 'broken chunk', 'no HTTP'];

function treat(socket: Socket, id: string, treatment: Treatment, isCut: boolean): void {
  if (treatment === 'reset') return void socket.resetAndDestroy();
  const bytes = TREATMENTS[treatment](id);
  const isClosing = CLOSING.includes(treatment);
  const at = isCut ? bytes.length >> 1 : 0;
  socket.write(bytes.slice(0, at), 'latin1');
  setImmediate(() => {
    if (isClosing) socket.end(bytes.slice(at), 'latin1');
    else socket.write(bytes.slice(at), 'latin1');
  });
}

const treatment = fc.constantFrom(...(Object.keys(TREATMENTS) as Treatment[]));
const round = fc.array(fc.record({ treatment, isCut: fc.boolean(), isLong: fc.boolean() }), {
  minLength: 1,
  maxLength: 6,
});

describe.each(NAMES)('calls of the %s client over connections that it reuses', (name) => {
  it('get their own answer whole, or a failure, whatever the engine does to the calls before and beside them', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(round, { minLength: 2, maxLength: 4 }), async (rounds) => {
        const plan = new Map<string, { readonly treatment: Treatment; readonly isCut: boolean }>();
        const engine = await startRawEngine((socket, head) => {
          const id = /^GET \/(\S*) /.exec(head)?.[1] ?? '';
          const planned = plan.get(id);
          if (planned !== undefined) treat(socket, id, planned.treatment, planned.isCut);
        });
        const client = CLIENTS[name](engine.url);
        const wrong: string[] = [];
        for (const [nth, calls] of rounds.entries()) {
          const asked = calls.map(async ({ isLong, ...how }, which): Promise<void> => {
            const id = `call-${nth}-${which}${isLong ? 'x'.repeat(3000) : ''}`;
            plan.set(id, how);
            const outcome = await outcomeOf(client, { path: `/${id}` });
            if (!isOwn(outcome, id, how.treatment)) wrong.push(`${how.treatment}: ${outcome.status} ${outcome.body}`);
          });
          await Promise.all(asked);
        }
        await client.destroy();
        await engine.stop();
        expect(wrong).toEqual([]);
      }),
      { numRuns: 30 },
    );
  });
});

/** Whether what arrived may be shown to the caller of a call. */
function isOwn({ body, status, error }: Outcome, id: string, treatment: Treatment): boolean {
  // A connection that the engine closed meanwhile fails its next call, which may be this one.
  if (error !== null) return id.startsWith(body);
  if (treatment === 'not modified, with a body') return status === 304 && body === '';
  return WHOLE.includes(treatment) && status === 200 && body === id;
}
