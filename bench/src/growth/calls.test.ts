import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { makeCalls } from './calls.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<number> {
  const server = createServer((request, response) => {
    request.resume().once('end', () => answer(request, response));
  });
  await new Promise<void>((done) => {
    server.listen(0, '127.0.0.1', done);
  });
  closing.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return (server.address() as AddressInfo).port;
}

describe('calls of the measurement of growth', () => {
  it('are as many as were asked for, each with the key of its number', async () => {
    const keys: string[] = [];
    const port = await serve(({ headers }, response) => {
      keys.push(headers.authorization ?? '');
      response.end('{}');
    });
    await makeCalls({ ports: [port], path: '/', keyOf: (call) => `key ${call}`, count: 7, callers: 3 });
    expect(keys.toSorted()).toEqual(Array.from({ length: 7 }, (_, call) => `Bearer key ${call}`));
  });

  it('go to each process in turn', async () => {
    const served = [0, 0, 0];
    const ports = await Promise.all(
      served.map((_, at) =>
        serve((_request, response) => {
          served[at] = (served[at] ?? 0) + 1;
          response.end();
        }),
      ),
    );
    await makeCalls({ ports, path: '/x', keyOf: () => 'k', count: 9, callers: 4 });
    expect(served).toEqual([3, 3, 3]);
  });

  it('are never more at once than there are callers', async () => {
    let [open, most] = [0, 0];
    const waiting: (() => void)[] = [];
    const port = await serve((_, response) => {
      open += 1;
      most = Math.max(most, open);
      waiting.push(() => {
        open -= 1;
        response.end();
      });
      // Answers once every caller waits.
      if (waiting.length === 4) for (const answer of waiting.splice(0)) answer();
    });
    await makeCalls({ ports: [port], path: '/', keyOf: () => 'k', count: 12, callers: 4 });
    expect(most).toBe(4);
  });

  it('fail with the status of one that was refused: a refusal costs less than a call', async () => {
    const port = await serve((_, response) => response.writeHead(429).end());
    const calls = makeCalls({ ports: [port], path: '/', keyOf: () => 'k', count: 3, callers: 1 });
    await expect(calls).rejects.toThrow('a call was answered 429');
  });

  it('fail where nobody answers', async () => {
    const port = await serve((_, response) => response.destroy());
    const calls = makeCalls({ ports: [port], path: '/', keyOf: () => 'k', count: 3, callers: 2 });
    await expect(calls).rejects.toThrow('socket hang up');
  });
});
