import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import type { Inspector } from '../../secrets/inspectors.ts';
import { inspectorUnder, TOKEN } from '../../testing/inspector.ts';
import { BodyRefused, scanned } from './scanned.ts';

const CHUNK = Buffer.alloc(64 * 1024, 'Authorization: Bearer ');

describe('a body that is looked into while it leaves', () => {
  it('leaves byte for byte, however it is cut', async () => {
    const parts = [CHUNK, Buffer.from([0, 255]), CHUNK.subarray(0, 5000)];
    const body = scanned(Readable.from(parts), inspectorUnder(null), () => {});
    expect((await buffer(body)).equals(Buffer.concat(parts))).toBe(true);
  });
  it('lets other calls go on while one part of it is read', async () => {
    let turns = 0;
    let next = setImmediate(function turn(): void {
      turns += 1;
      next = setImmediate(turn);
    });
    await buffer(scanned(Readable.from([CHUNK]), inspectorUnder(null), () => {}));
    clearImmediate(next);
    expect(turns).toBeGreaterThan(10);
  });
  it('ends before a secret', async () => {
    const body = scanned(Readable.from([CHUNK, Buffer.from(` ${TOKEN} `), CHUNK]), inspectorUnder(null), () => {});
    await expect(buffer(body)).rejects.toThrow(BodyRefused);
  });
  it('ends with a fault of ours, where there is one', async () => {
    const { stance, scanner } = inspectorUnder(null);
    const channel = (): never => {
      throw new Error('a fault of ours');
    };
    const faulty = { push: channel, end: channel, held: 0, passes: () => false };
    const broken: Inspector = { stance, scanner: { ...scanner, channel: () => faulty } };
    await expect(buffer(scanned(Readable.from([CHUNK]), broken, () => {}))).rejects.toThrow('a fault of ours');
  });
});
