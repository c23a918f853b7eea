import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { watch } from '../../testing/caller.ts';
import { eventually } from '../../testing/eventually.ts';
import { heldBytes } from '../../testing/memory.ts';
import type { World } from '../../testing/world.ts';
import {
  HOSTED_AND_RESTRICTED,
  JSON_OK,
  type RawProviders,
  SSE_OK,
  startRawProviders,
} from './testing/raw-providers.ts';

describe.each(HOSTED_AND_RESTRICTED)('a provider that answers with very much, %s', (_, profile) => {
  let providers: RawProviders;
  let world: World;
  let behind: RawProviders['behind'];
  beforeAll(async () => {
    providers = await startRawProviders(profile);
    ({ world, behind } = providers);
  });
  afterAll(() => providers.stop());

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
