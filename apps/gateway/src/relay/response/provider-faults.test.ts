import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { profile as onPremise } from '../../profile/on-premise.ts';
import { ask, HELLO, raw, watch } from '../../testing/caller.ts';
import { eventually } from '../../testing/eventually.ts';
import { heldBytes } from '../../testing/memory.ts';
import { type RawAnswer, type RawEngine, startRawEngine } from '../../testing/raw-engine.ts';
import { startWorld, type World } from '../../testing/world.ts';
import { InspectedAnswer } from './inspected.ts';

const OK = 'HTTP/1.1 200 OK\r\n';
const JSON_OK = `${OK}content-type: application/json\r\n`;
const SSE_OK = `${OK}content-type: text/event-stream\r\n`;

describe.each([
  ['hosted', undefined],
  ['restricted', onPremise],
])('a provider that misbehaves, %s', (_, profile) => {
  let world: World;
  const engines: RawEngine[] = [];
  let count = 0;
  beforeAll(async () => {
    world = await startWorld(profile === undefined ? {} : { profile });
  });
  afterAll(async () => {
    await Promise.all(engines.map((engine) => engine.stop()));
    await world.stop();
  });

  /** Puts a raw engine behind a new endpoint. */
  async function behind(answer: RawAnswer): Promise<{ engine: RawEngine; path: string; key: string; subject: string }> {
    const engine = await startRawEngine(answer);
    engines.push(engine);
    const name = `raw-${(count += 1)}`;
    await world.serve(name, { baseUrl: engine.url });
    return { engine, path: `/${name}/x`, subject: name, key: await world.account(name) };
  }
  const interrupted = async (subject: string): Promise<void> => {
    await eventually(async () => expect(await world.usage(subject)).toHaveLength(1));
    expect((await world.usage(subject))[0]).toMatchObject({ interrupted: true, usage_source: 'estimated' });
  };

  it.each<[string, string]>([
    ['ends short of its length', `${JSON_OK}content-length: 500\r\n\r\n{"choices":[`],
    ['breaks a chunk', `${SSE_OK}transfer-encoding: chunked\r\n\r\n5\r\ndata:\r\nzz\r\n`],
    ['ends between chunks', `${SSE_OK}transfer-encoding: chunked\r\n\r\n5\r\ndata:\r\n`],
    // relay-21
  ])('and %s gives a broken body, never a clean end', async (_name, bytes) => {
    const { path, key, subject } = await behind((socket) => socket.end(bytes, 'latin1'));
    expect(await watch(world.port, path, { key }).done).toBe('broken');
    await interrupted(subject);
  });

  it.each<[string, Buffer]>([
    ['unencoded', Buffer.from('{"choices":[]}')],
    ['compressed', gzipSync('{"choices":[]}')],
  ])(
    'by no fault of its own, whose whole answer %s meets one of ours, gives a refusal at once',
    async (coding, body) => {
      const encoding = coding === 'compressed' ? 'content-encoding: gzip\r\n' : '';
      const head = `${JSON_OK}${encoding}content-length: ${body.length}\r\n\r\n`;
      const { path, key, subject } = await behind((socket) => socket.write(Buffer.concat([Buffer.from(head), body])));
      vi.spyOn(InspectedAnswer.prototype, 'end').mockImplementationOnce(() => {
        throw new Error('a fault of ours');
      });
      const { status, json } = await ask(world.port, path, { key });
      expect({ status, json }).toEqual({
        status: 502,
        json: { error: 'The gateway could not relay the answer.' },
      });
      expect(world.reports).toContain('Relaying an answer failed inside the gateway: a fault of ours');
      await interrupted(subject);
    },
  );

  it('and answers with a status below 100 is reported, and the next call is served', async () => {
    let status = '099';
    const { path, key } = await behind((socket) =>
      socket.write(`HTTP/1.1 ${status} Odd\r\ncontent-length: 2\r\n\r\n{}`),
    );
    expect(await ask(world.port, path, { key })).toMatchObject({
      status: 502,
      json: { error: 'The provider could not be reached: its answer does not match the HTTP/1.1 protocol.' },
    });
    status = '200';
    expect((await ask(world.port, path, { key })).status).toBe(200);
  });

  it.each<[string, string, number]>([
    ['one 100', 'HTTP/1.1 100 Continue\r\n\r\n', 2],
    ['one 100 with headers', 'HTTP/1.1 100 Continue\r\nX-Odd: 1\r\n\r\n', 2],
    [
      'several interim answers',
      'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n',
      2,
    ],
    ['one 100 byte by byte', 'HTTP/1.1 100 Continue\r\n\r\n', 1],
  ])('and sends %s unasked is answered, on the same connection again and again', async (_name, interim, calls) => {
    const body = 'HTTP/1.1 100 Continue\r\n\r\n'; // in a body it is text
    const answer = `${interim}${OK}content-type: text/plain\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
    let connections = 0;
    const seen = new Set<unknown>();
    const { path, key } = await behind((socket) => {
      if (!seen.has(socket)) connections += 1;
      seen.add(socket);
      if (calls > 1) return socket.write(answer, 'latin1');
      socket.setNoDelay(true);
      const letters = answer.split('');
      const next = (): void => {
        const letter = letters.shift();
        if (letter !== undefined) socket.write(letter, 'latin1', () => setImmediate(next));
      };
      return next();
    });
    for (let call = 0; call < calls; call += 1) {
      expect(await ask(world.port, path, { key })).toMatchObject({ status: 200, text: body });
    }
    expect(connections).toBe(1);
  });

  it('and resets in the middle gives a broken body', async () => {
    const seen = Promise.withResolvers<void>();
    const { path, key, subject } = await behind((socket) => {
      socket.write(`${SSE_OK}transfer-encoding: chunked\r\n\r\n9\r\ndata: x\n\n\r\n`);
      seen.promise.then(() => socket.resetAndDestroy()).catch(() => {});
    });
    const answer = watch(world.port, path, { key });
    await answer.shows('data: x');
    seen.resolve();
    expect(await answer.done).toBe('broken');
    expect(answer.text()).toBe('data: x\n\n');
    await interrupted(subject);
  });

  it.each([
    ['a plain answer', 'text/plain'],
    ['a stream', 'text/event-stream'],
  ])('and resets %s that the end of the connection would have ended gives a broken body', async (_name, type) => {
    const { path, key, subject } = await behind((socket) => {
      socket.write(`${OK}content-type: ${type}\r\nconnection: close\r\n\r\nso far`, () => socket.resetAndDestroy());
    });
    expect(await watch(world.port, path, { key }).done).toBe('broken');
    await interrupted(subject);
  });

  it('and breaks off before the first byte of a body gives its head, and a broken body', async () => {
    const { path, key } = await behind((socket) => socket.end(`${JSON_OK}etag: "a"\r\ncontent-length: 5\r\n\r\n`));
    const answer = watch(world.port, path, { key });
    expect((await answer.head).headers['etag']).toBe('"a"');
    expect(await answer.done).toBe('broken');
  });

  it.each<[string, string]>([
    ['closes before it answers', ''],
    ['does not speak HTTP', 'SSH-2.0-OpenSSH_9.0\r\n'],
    ['switches protocols unasked', 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'],
    ['sends an unrequested 100 Continue', 'HTTP/1.1 100 Continue\r\n\r\n'],
    ['sends too many headers', `${OK}${'x: yyyyyyyy\r\n'.repeat(8000)}\r\n`],
    ['folds a header', `${OK}x: a\r\n b\r\ncontent-length: 0\r\n\r\n`],
    ['gives two lengths', `${OK}content-length: 2\r\ncontent-length: 3\r\n\r\n{}x`],
    ['gives a length and chunks', `${OK}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['sends a bare NUL in a header', `${OK}x: a\0b\r\ncontent-length: 0\r\n\r\n`],
  ])('and %s is a 502 that leaves no record', async (_name, bytes) => {
    const { path, key, subject } = await behind((socket) => socket.end(bytes, 'latin1'));
    const { status, json } = await ask(world.port, path, { key });
    expect({ status, json }).toEqual({
      status: 502,
      json: { error: expect.stringMatching(/^The provider could not be reached: /) },
    });
    expect(await world.usage(subject)).toEqual([]);
  });

  it.each([
    ['in UTF-8', 'caf\xc3\xa9', 'caf\xc3\xa9'],
    ['in Latin-1', 'caf\xe9', 'caf\xef\xbf\xbd'],
    ['with a control character', 'a\x01b\x7f', 'a?b?'],
    ['that is empty', '', ''],
  ])('and gives a reason phrase %s is relayed', async (_name, reason, expected) => {
    for (const head of [JSON_OK, SSE_OK]) {
      const line = head.replace('200 OK', `200 ${reason}`);
      const { path, key } = await behind((socket) => socket.end(`${line}content-length: 2\r\n\r\nok`, 'latin1'));
      const answer = watch(world.port, path, { key });
      expect((await answer.head).statusMessage).toBe(expected);
      expect(await answer.done).toBe('complete');
    }
  });

  it('and has bytes beyond ASCII in its headers is relayed byte for byte, also where the head leaves alone', async () => {
    for (const head of [JSON_OK, SSE_OK]) {
      const { path, key } = await behind((socket) =>
        socket.write(`${head}x-name: caf\xc3\xa9 \xe9\r\nconnection: close\r\n\r\n`, 'latin1', () =>
          setTimeout(() => socket.end('data: x\n\n'), 20),
        ),
      );
      const answer = watch(world.port, path, { key });
      expect((await answer.head).headers['x-name']).toBe('caf\xc3\xa9 \xe9');
      expect(await answer.done).toBe('complete');
    }
  });

  it('and sends long headers is relayed unchanged', async () => {
    const long = 'y'.repeat(50_000);
    const { path, key } = await behind((socket) => socket.end(`${OK}x-long: ${long}\r\ncontent-length: 2\r\n\r\nok`));
    const answer = watch(world.port, path, { key, maxHeaderSize: 64 * 1024 });
    expect((await answer.head).headers['x-long']).toBe(long);
    expect(await answer.done).toBe('complete');
  });

  // relay-22
  it('and sends a second answer unasked never hands it to another caller', async () => {
    const { engine, path, key } = await behind((socket, _head, nth) => {
      const body = `{"answer":${nth}}`;
      const answer = `${JSON_OK}content-length: ${body.length}\r\n\r\n${body}`;
      const stray = `${JSON_OK}content-length: 11\r\n\r\n{"stray":1}`;
      socket.write(answer + stray);
    });
    for (let round = 1; round <= 6; round += 1) {
      const { status, text } = await ask(world.port, path, { key });
      expect([status, text]).toEqual([200, `{"answer":${round}}`]);
    }
    expect(engine.requests()).toBe(6);
  });

  it.each([
    ['HEAD', `${JSON_OK}content-length: 4\r\n\r\nbody`],
    ['GET', 'HTTP/1.1 204 No Content\r\ncontent-length: 4\r\n\r\nbody'],
    ['GET', 'HTTP/1.1 304 Not Modified\r\ncontent-length: 4\r\n\r\nbody'],
  ])('and sends a body where none is allowed (%s) does not disturb the next call', async (method, bytes) => {
    const { path, key } = await behind((socket) => socket.write(bytes));
    for (let round = 0; round < 4; round += 1) {
      const { status, text } = await ask(world.port, path, { key, method });
      expect([status, text]).toEqual([Number(bytes.slice(9, 12)), '']);
    }
  });

  it.each([['transfer-encoding: gzip, chunked\r\n'], ['transfer-encoding: gzip\r\ntransfer-encoding: chunked\r\n']])(
    'and compresses the transfer unasked (%j) is decoded',
    async (coding) => {
      const body = gzipSync('{"a":1}');
      const { path, key } = await behind((socket) => {
        socket.write(`${JSON_OK}${coding}\r\n${body.length.toString(16)}\r\n`);
        socket.write(body);
        socket.write('\r\n0\r\n\r\n');
      });
      const { status, text } = await ask(world.port, path, { key });
      expect([status, text]).toEqual([200, '{"a":1}']);
    },
  );

  it('and puts blanks after the length has its length accepted', async () => {
    const { path, key, subject } = await behind((socket) => socket.write(`${JSON_OK}Content-Length:  2  \r\n\r\n{}`));
    const body = { ...HELLO, stream: true };
    for (const asking of [{ key }, { key, body }]) {
      const { status, text } = await ask(world.port, path, asking);
      expect([status, text]).toEqual([200, '{}']);
    }
    await eventually(async () =>
      expect(await world.usage(subject)).toMatchObject([{ interrupted: false }, { interrupted: false }]),
    );
  });

  it('and puts blanks after a length that it does not keep gives a broken body', async () => {
    const { path, key, subject } = await behind((socket) => socket.end(`${JSON_OK}content-length: 5 \r\n\r\n{}`));
    expect(await watch(world.port, path, { key }).done).toBe('broken');
    await interrupted(subject);
  });

  it('and hints without end has the first of its hints passed on, and its answer', async () => {
    const hint = 'HTTP/1.1 103 Early Hints\r\nlink: </a>; rel=preload\r\n\r\n';
    const { path, key } = await behind((socket) =>
      socket.write(`${hint.repeat(1000)}${OK}content-length: 2\r\n\r\n{}`),
    );
    const text = await raw(
      world.port,
      `GET ${path} HTTP/1.1\r\nHost: g\r\nX-Api-Key: ${key}\r\nConnection: close\r\n\r\n`,
    );
    expect(text.match(/^HTTP\/1\.1 103 /gm)).toHaveLength(16);
    expect(text).toMatch(/\r\nHTTP\/1\.1 200 OK\r\n[^{]*\{\}$/);
  });

  it('and closes idle connections does not fail the calls after it', async () => {
    const { path, key } = await behind((socket) =>
      socket.end(`${JSON_OK}connection: close\r\ncontent-length: 2\r\n\r\n{}`),
    );
    for (let round = 0; round < 5; round += 1) expect((await ask(world.port, path, { key })).status).toBe(200);
  });

  it('and answers before it has read the body is answered from', async () => {
    const { path, key } = await behind((socket) =>
      socket.end(`HTTP/1.1 413 Too Large\r\nconnection: close\r\ncontent-length: 2\r\n\r\nno`),
    );
    const { status, text } = await ask(world.port, path, { key, body: HELLO });
    expect([status, text]).toEqual([413, 'no']);
  });

  it('and ends its answer with the connection is relayed whole', async () => {
    const { path, key } = await behind((socket) =>
      socket.end(`HTTP/1.0 200 OK\r\ncontent-type: text/plain\r\n\r\nuntil the end`),
    );
    expect((await ask(world.port, path, { key })).text).toBe('until the end');
  });

  it('and sends a line of 26 MB without an end keeps memory flat', async () => {
    const chunk = Buffer.alloc(64 * 1024, 'x');
    const more = Promise.withResolvers<void>();
    const { path, key } = await behind((socket) => {
      const pour = (chunks: number, then: () => void): void => {
        if (chunks === 0) then();
        else socket.write(chunk, () => pour(chunks - 1, then));
      };
      socket.write(`${SSE_OK}connection: close\r\n\r\ndata: `);
      pour(400, () => {
        more.promise.then(() => pour(24, () => socket.end())).catch(() => {});
      });
    });
    const before = heldBytes();
    const answer = watch(world.port, path, { key, keep: false });
    await eventually(() => expect(answer.length()).toBe(6 + 400 * chunk.length));
    // Polled, not checked once: uncollected objects disappear by a later check.
    await eventually(() => expect(heldBytes() - before).toBeLessThan(8 * 1024 * 1024));
    more.resolve();
    expect(await answer.done).toBe('complete');
    expect(answer.length()).toBe(6 + 424 * chunk.length);
  });

  it('and sends a compressed bomb keeps memory flat', async () => {
    const size = 192 * 1024 * 1024;
    const bomb = gzipSync(Buffer.alloc(size));
    const { path, key } = await behind((socket) => {
      socket.write(`${JSON_OK}content-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`);
      socket.write(bomb);
    });
    const before = heldBytes();
    const answer = watch(world.port, path, { key, keep: false });
    const samples: number[] = [];
    (await answer.head).on('data', () => {
      if (answer.length() > samples.length * 48 * 1024 * 1024) samples.push(heldBytes() - before);
    });
    expect(await answer.done).toBe('complete');
    expect(answer.length()).toBe(size);
    expect(Math.max(...samples)).toBeLessThan(96 * 1024 * 1024);
  });
});
