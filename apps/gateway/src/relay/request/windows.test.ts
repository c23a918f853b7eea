import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { Finding } from '@gateway/secrets';
import { describe, expect, it } from 'vitest';
import type { Inspector } from '../../inspection/inspectors.ts';
import { inspectorUnder, TOKEN } from '../../testing/inspector.ts';
import { BodyRefused, scan } from './windows.ts';

const MEBIBYTE = 2 ** 20;
const CHUNK = Buffer.alloc(512 * 1024, 'Authorization: Bearer ');

describe('a body that is looked into while it leaves', () => {
  it('leaves byte for byte, in parts of any size', async () => {
    const parts = [CHUNK, Buffer.from([0, 255]), CHUNK.subarray(0, 5000)];
    const body = scan(Readable.from(parts), null, inspectorUnder(null), () => {});
    expect((await buffer(body)).equals(Buffer.concat(parts))).toBe(true);
  });
  // limits-7
  it('lets other calls continue while one part of it is read', async () => {
    let turns = 0;
    let next = setImmediate(function turn(): void {
      turns += 1;
      next = setImmediate(turn);
    });
    // Large enough for many turns on a fast machine: a turn ends after some milliseconds of work.
    const part = Buffer.concat([CHUNK, CHUNK, CHUNK, CHUNK]);
    await buffer(scan(Readable.from([part]), null, inspectorUnder(null), () => {}));
    clearImmediate(next);
    expect(turns).toBeGreaterThan(10);
  });
  it('ends before a secret', async () => {
    const body = scan(Readable.from([CHUNK, Buffer.from(` ${TOKEN} `), CHUNK]), null, inspectorUnder(null), () => {});
    await expect(buffer(body)).rejects.toThrow(BodyRefused);
  });
  it('ends with a fault of ours, where there is one', async () => {
    const { responsePolicy, scanner } = inspectorUnder(null);
    const scanBodyInSteps = (): never => {
      throw new Error('a fault of ours');
    };
    const broken: Inspector = { providers: null, responsePolicy, scanner: { ...scanner, scanBodyInSteps } };
    await expect(buffer(scan(Readable.from([CHUNK]), null, broken, () => {}))).rejects.toThrow('a fault of ours');
  });
  it('finds a secret across window borders, in bytes and in UTF-16, and masks it', async () => {
    const filler = 'Nothing to see in this line, number 42.\n';
    for (let around = -80; around <= 80; around += 40) {
      for (const meets of [MEBIBYTE - 64 * 1024, MEBIBYTE]) {
        const before = Buffer.alloc(meets + around, filler);
        const body = Buffer.concat([before, Buffer.from(` ${TOKEN} `), Buffer.alloc(MEBIBYTE, filler)]);
        const found: number[] = [];
        const parts = [body.subarray(0, 700_001), body.subarray(700_001)];
        const masking = inspectorUnder({ response: 'mask' });
        const reported = (findings: readonly Finding[]): void => void found.push(...findings.map(({ start }) => start));
        const masked = await buffer(scan(Readable.from(parts), null, masking, reported));
        expect(found).toEqual([before.length + 1]);
        const end = Buffer.from(' [secret:access-token] ');
        expect(masked.equals(Buffer.concat([before, end, Buffer.alloc(MEBIBYTE, filler)]))).toBe(true);
      }
    }
    const wide = Buffer.from(`${filler.repeat(20_000)} ${TOKEN} `, 'utf16le');
    for (const policy of [null, { response: 'mask' } as const]) {
      const body = scan(Readable.from([wide]), null, inspectorUnder(policy), () => {});
      await expect(buffer(body)).rejects.toThrow(BodyRefused);
    }
  });
});
