import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ask, watch } from '../../testing/caller.ts';
import { eventually } from '../../testing/eventually.ts';
import type { World } from '../../testing/world.ts';
import { InspectedAnswer } from './inspected.ts';
import {
  HOSTED_AND_RESTRICTED,
  JSON_OK,
  OK,
  type RawProviders,
  SSE_OK,
  startRawProviders,
} from './testing/raw-providers.ts';

describe.each(HOSTED_AND_RESTRICTED)('a provider that misbehaves, %s', (_, profile) => {
  let providers: RawProviders;
  let world: World;
  let behind: RawProviders['behind'];
  beforeAll(async () => {
    providers = await startRawProviders(profile);
    ({ world, behind } = providers);
  });
  afterAll(() => providers.stop());
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

  it('and puts blanks after a length that it does not keep gives a broken body', async () => {
    const { path, key, subject } = await behind((socket) => socket.end(`${JSON_OK}content-length: 5 \r\n\r\n{}`));
    expect(await watch(world.port, path, { key }).done).toBe('broken');
    await interrupted(subject);
  });
});
