import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it, vi } from 'vitest';
import { BodyIntake, HELD_BYTES } from './intake.ts';

/** A request whose body is written by the test. */
function arriving() {
  const stream = Object.assign(new PassThrough(), { complete: false });
  const intake = new BodyIntake(stream as unknown as IncomingMessage, true);
  intake.start();
  return { stream, intake };
}

describe('the intake of a body', () => {
  it('hands on a body whole once it has ended, before or after its caller was let in', async () => {
    for (const early of [true, false]) {
      const { stream, intake } = arriving();
      stream.write('{"model":');
      if (early) {
        stream.end('"m"}');
        await new Promise((resolve) => stream.once('end', resolve));
      }
      const admitted = intake.admit();
      if (!early) stream.end('"m"}');
      expect(await admitted).toEqual({ kind: 'whole', bytes: Buffer.from('{"model":"m"}') });
    }
  });
  it('takes a part of it alone before its caller is let in', async () => {
    const { stream, intake } = arriving();
    for (let part = 0; part < 64; part += 1) stream.write(Buffer.alloc(64 * 1024, ' '));
    await expect.poll(() => stream.isPaused()).toBe(true);
    expect(stream.readableLength + stream.writableLength).toBeGreaterThan(2 * 1024 ** 2);
    const admitted = intake.admit();
    stream.end();
    expect(await admitted).toMatchObject({ kind: 'whole' });
  });
  it('lets a long body flow that is no JSON object, every byte of it', async () => {
    const { stream, intake } = arriving();
    const admitted = intake.admit();
    const long = Buffer.alloc(HELD_BYTES, 'x');
    stream.write(long);
    const body = await admitted;
    if (body.kind !== 'flowing') throw new Error('it was held');
    stream.complete = true;
    stream.end('last');
    expect((await buffer(body.stream)).equals(Buffer.concat([long, Buffer.from('last')]))).toBe(true);
  });
  it('looks at each byte of a long object once, however much space stands before it and however small its parts are', async () => {
    const { stream, intake } = arriving();
    const admitted = intake.admit();
    const parts = 50_000; // looked through from the start at every part, it would take a thousand seconds and more
    stream.write(Buffer.alloc(HELD_BYTES - 1, ' '));
    stream.write('{');
    for (let part = 0; part < parts; part += 1) {
      if (!stream.write(' ')) await new Promise((resolve) => stream.once('drain', resolve));
    }
    stream.end('}');
    const body = await admitted;
    expect(body.kind === 'whole' && body.bytes.length).toBe(HELD_BYTES + parts + 1);
  });
  it('refuses to hand on what cannot be put together, and says so where it is awaited', async () => {
    const { stream, intake } = arriving();
    const admitted = intake.admit();
    stream.write('{"a":1');
    vi.spyOn(Buffer, 'concat').mockImplementationOnce(() => {
      throw new RangeError('Array buffer allocation failed');
    });
    stream.end('}');
    await expect(admitted).rejects.toThrow('allocation failed');
  });
});
