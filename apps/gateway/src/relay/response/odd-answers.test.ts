import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, HELLO, raw, watch } from '../../testing/caller.ts';
import { eventually } from '../../testing/eventually.ts';
import type { World } from '../../testing/world.ts';
import {
  HOSTED_AND_RESTRICTED,
  JSON_OK,
  OK,
  type RawProviders,
  SSE_OK,
  startRawProviders,
} from './testing/raw-providers.ts';

describe.each(HOSTED_AND_RESTRICTED)('a provider that answers in an unusual way, %s', (_, profile) => {
  let providers: RawProviders;
  let world: World;
  let behind: RawProviders['behind'];
  beforeAll(async () => {
    providers = await startRawProviders(profile);
    ({ world, behind } = providers);
  });
  afterAll(() => providers.stop());

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

  it('and hints without end has the first of its hints passed on, and is a 502', async () => {
    const hint = 'HTTP/1.1 103 Early Hints\r\nlink: </a>; rel=preload\r\n\r\n';
    const { path, key } = await behind((socket) =>
      socket.write(`${hint.repeat(1000)}${OK}content-length: 2\r\n\r\n{}`),
    );
    const text = await raw(
      world.port,
      `GET ${path} HTTP/1.1\r\nHost: g\r\nX-Api-Key: ${key}\r\nConnection: close\r\n\r\n`,
    );
    expect(text.match(/^HTTP\/1\.1 103 /gm)).toHaveLength(16);
    expect(text).toMatch(
      /\r\nHTTP\/1\.1 502 Bad Gateway\r\n[^{]*\{"error":"The provider sent more than 32 interim answers/,
    );
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
});
