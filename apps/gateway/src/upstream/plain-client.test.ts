import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { type RawAnswer, type RawEngine, startRawEngine } from '../testing/raw-engine.ts';
import { parseBaseUrl } from './client.ts';
import { PlainClient, type PlainRequest } from './plain-client.ts';
import { type Outcome, outcomeOf } from './testing/clients.ts';

const OK = 'HTTP/1.1 200 OK\r\n';
const answerOf = (body: string): string => `${OK}content-length: ${body.length}\r\n\r\n${body}`;

const opened: { readonly engine: RawEngine; readonly client: PlainClient }[] = [];
afterEach(async () => {
  for (const { engine, client } of opened.splice(0)) {
    client.destroy();
    await engine.stop();
  }
});

async function open(answer: RawAnswer) {
  const engine = await startRawEngine(answer);
  const client = clientOf(engine.url);
  opened.push({ engine, client });
  const ask = (path: string): Promise<Outcome> => outcomeFrom(client, { path });
  return { engine, client, ask };
}

function clientOf(url: string): PlainClient {
  const base = parseBaseUrl(url);
  if (base === null) throw new Error(`${url} is no Base URL`);
  return new PlainClient(base, { idleTimeout: 300_000, tick: 20 });
}

const outcomeFrom = (client: PlainClient, request: Partial<PlainRequest>): Promise<Outcome> =>
  outcomeOf(
    {
      send: (whole, handler) => client.send(whole as PlainRequest, handler),
      close: () => client.close(),
      destroy: async () => client.destroy(),
    },
    request,
  );

/** Also after an error. */
const closeOf = (socket: Socket): Promise<void> => new Promise((resolve) => socket.once('close', () => resolve()));

const pathOf = (head: string): string => head.split(' ')[1] ?? '';

/** Answers each request when the test says so. */
function heldAnswers() {
  const held = new Map<string, Socket>();
  let arrived = (): void => {};
  return {
    answer: (socket: Socket, head: string): void => {
      held.set(pathOf(head), socket);
      arrived();
    },
    async has(count: number): Promise<void> {
      while (held.size < count) await new Promise<void>((resolve) => (arrived = resolve));
    },
    of(path: string): Socket {
      const socket = held.get(path);
      if (socket === undefined) throw new Error(`${path} has not arrived`);
      return socket;
    },
  };
}

describe('connections to a provider', () => {
  it('serve one call each at a time, and every caller gets its own answer', async () => {
    const engine = heldAnswers();
    const { engine: server, ask } = await open(engine.answer);
    const paths = Array.from({ length: 30 }, (_, nth) => `/${nth}`);
    const running = paths.map((path) => ask(path));
    await engine.has(30);
    expect(server.connections()).toBe(30);
    for (const path of paths.toReversed()) engine.of(path).write(answerOf(`for ${path}`));
    expect((await Promise.all(running)).map(({ body }) => body)).toEqual(paths.map((path) => `for ${path}`));
    const again = paths.map((path) => ask(`/again${path}`));
    await engine.has(60);
    for (const path of paths) engine.of(`/again${path}`).write(answerOf(`again ${path}`));
    expect((await Promise.all(again)).map(({ body }) => body)).toEqual(paths.map((path) => `again ${path}`));
    expect(server.connections()).toBe(30);
  });

  it('that break in one call are not used for the next, and others continue', async () => {
    const engine = heldAnswers();
    const { engine: server, ask } = await open(engine.answer);
    const [broken, whole] = [ask('/broken'), ask('/whole')];
    await engine.has(2);
    engine.of('/broken').write(`${OK}transfer-encoding: chunked\r\n\r\n4\r\nbodyHTTP/1.1 200 OK\r\n`);
    expect(await broken).toMatchObject({ body: 'body', error: { name: 'ProtocolError' } });
    engine.of('/whole').write(answerOf('whole'));
    expect((await whole).body).toBe('whole');
    const next = ask('/next');
    await engine.has(3);
    expect(engine.of('/next')).toBe(engine.of('/whole'));
    engine.of('/next').write(answerOf('next'));
    expect((await next).body).toBe('next');
    expect(server.connections()).toBe(2);
  });

  it('that the provider closes while idle are replaced before the next call', async () => {
    const closed: Promise<void>[] = [];
    const { engine, ask } = await open((socket, _head, nth) => {
      closed.push(closeOf(socket));
      socket.end(answerOf(String(nth)));
    });
    for (const body of ['1', '2', '3']) {
      expect(await ask('/')).toMatchObject({ body, error: null });
      await closed.at(-1);
    }
    expect(engine.connections()).toBe(3);
  });

  it('that the provider closes without an answer fail their call, which is not sent twice', async () => {
    const { engine, ask } = await open((socket, _head, nth) =>
      nth === 2 ? socket.destroy() : socket.write(answerOf(String(nth))),
    );
    expect((await ask('/')).body).toBe('1');
    expect(await ask('/')).toMatchObject({ status: null, error: { message: 'other side closed' } });
    expect(engine.requests()).toBe(2);
    expect((await ask('/')).body).toBe('3');
  });

  it.each([
    ['0', 2],
    ['1', 2],
    ['2', 2],
    ['60', 1],
    ['99999999999999999999999', 1],
    ['x', 1],
  ])('announced as kept for %s seconds serve two calls over %i connections', async (seconds, connections) => {
    const { engine, ask } = await open((socket) =>
      socket.write(`${OK}keep-alive: timeout=${seconds}, max=100\r\ncontent-length: 2\r\n\r\nok`),
    );
    for (let times = 0; times < 2; times += 1) expect((await ask('/')).body).toBe('ok');
    expect(engine.connections()).toBe(connections);
  });
});

describe('an early answer', () => {
  it('ends its call, and what remains of the request never precedes the next one', async () => {
    const connections: Socket[] = [];
    const server = createServer((socket) => {
      connections.push(socket.on('error', () => {}));
      if (connections.length > 1) socket.once('data', () => socket.write(answerOf('next')));
      else socket.pause().write('HTTP/1.1 413 Content Too Large\r\ncontent-length: 9\r\n\r\ntoo large');
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const client = clientOf(`http://127.0.0.1:${port}`);
    // More than the buffers of two sockets, so the engine answers before it has read everything.
    const body = Buffer.alloc(64 * 2 ** 20, 'x');
    const early = await outcomeFrom(client, { method: 'POST', body });
    expect(early).toMatchObject({ status: 413, body: 'too large', error: null });
    expect(await outcomeFrom(client, {})).toMatchObject({ body: 'next', error: null });
    expect(connections).toHaveLength(2);
    client.destroy();
    for (const socket of connections) socket.destroy();
    server.close();
  });
});

describe('closing the client', () => {
  it('closes every idle connection immediately', async () => {
    const engine = heldAnswers();
    const { client, ask } = await open(engine.answer);
    const paths = ['/1', '/2', '/3', '/4', '/5'];
    const running = paths.map((path) => ask(path));
    await engine.has(5);
    const closed = Promise.all(paths.map((path) => closeOf(engine.of(path))));
    const kept = `${OK}keep-alive: timeout=600\r\ncontent-length: 0\r\n\r\n`;
    for (const path of paths) engine.of(path).write(kept);
    await Promise.all(running);
    client.close();
    expect(await closed).toHaveLength(5);
  });

  it('lets running calls end, and closes their connections then', async () => {
    const engine = heldAnswers();
    const { client, ask } = await open(engine.answer);
    const running = ask('/running');
    await engine.has(1);
    const closed = closeOf(engine.of('/running'));
    client.close();
    engine.of('/running').write(answerOf('whole'));
    expect(await running).toMatchObject({ body: 'whole', error: null });
    await closed;
  });

  it('by force fails calls that wait, run or have not left, each once', async () => {
    const engine = heldAnswers();
    const { client, ask } = await open(engine.answer);
    const [first, second] = [ask('/1'), ask('/2')];
    await engine.has(2);
    const begun = closeOf(engine.of('/2'));
    engine.of('/2').write(`${OK}content-length: 9\r\n\r\nso far`);
    const leaving = ask('/3');
    client.destroy();
    for (const outcome of await Promise.all([first, second, leaving])) expect(outcome.error?.message).toBe('closed');
    await begun;
  });
});
