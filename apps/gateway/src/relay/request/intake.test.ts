import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it, vi } from 'vitest';
import { BodyBudget, CHUNK_OVERHEAD } from '../../http/body.ts';
import { BodyIntake, HELD_BYTES, type RequestBody } from './intake.ts';

/** A request whose body is written by the test. */
function arriving(budget = new BodyBudget(2 ** 30, () => {})) {
  const stream = Object.assign(new PassThrough(), { complete: false });
  const share = budget.open();
  const intake = new BodyIntake(stream as unknown as IncomingMessage, true, share);
  intake.start();
  return { stream, intake, share };
}

/** A body that was let in. */
async function taken(admitted: ReturnType<BodyIntake['admit']>): Promise<RequestBody> {
  const body = await admitted;
  if ('code' in body) throw new Error(body.code);
  return body;
}

describe('the intake of a body', () => {
  it('returns a complete body once it has ended, before or after its caller was authorized', async () => {
    for (const early of [true, false]) {
      const { stream, intake } = arriving();
      stream.write('{"model":');
      if (early) {
        stream.end('"m"}');
        await new Promise((resolve) => stream.once('end', resolve));
      }
      const admitted = intake.admit('caller');
      if (!early) stream.end('"m"}');
      expect(await admitted).toEqual({ kind: 'whole', bytes: Buffer.from('{"model":"m"}') });
    }
  });
  it.each(['before', 'after'])(
    'refuses a body past the budget %s its caller was let in, and keeps nothing of it',
    async (when) => {
      const budget = new BodyBudget(100 + CHUNK_OVERHEAD, () => {});
      const { stream, intake } = arriving(budget);
      const admitted = when === 'after' ? intake.admit('caller') : null;
      stream.write(Buffer.alloc(100));
      await expect.poll(() => budget.used).toBe(100 + CHUNK_OVERHEAD);
      stream.write(Buffer.alloc(1));
      await expect.poll(() => budget.used).toBe(0);
      expect(await (admitted ?? intake.admit('caller'))).toMatchObject({ code: 'bodies-full' });
      stream.end(Buffer.alloc(2 ** 20)); // continues, and is discarded
      await new Promise((resolve) => stream.once('end', resolve));
    },
  );
  it('counts buffered bytes until they are released', async () => {
    const budget = new BodyBudget(2 ** 20, () => {});
    const { stream, intake, share } = arriving(budget);
    stream.end('{}');
    await taken(intake.admit('caller'));
    expect(budget.used).toBe(2 + CHUNK_OVERHEAD);
    share.release();
    expect(budget.used).toBe(0);
  });
  it('takes a part of it alone before its caller is let in', async () => {
    const { stream, intake } = arriving();
    for (let part = 0; part < 64; part += 1) stream.write(Buffer.alloc(64 * 1024, ' '));
    await expect.poll(() => stream.isPaused()).toBe(true);
    expect(stream.readableLength + stream.writableLength).toBeGreaterThan(2 * 1024 ** 2);
    const admitted = intake.admit('caller');
    stream.end();
    expect(await admitted).toMatchObject({ kind: 'whole' });
  });
  it('streams every byte of a long body that is no JSON object', async () => {
    const { stream, intake } = arriving();
    const admitted = intake.admit('caller');
    const long = Buffer.alloc(HELD_BYTES, 'x');
    stream.write(long);
    const body = await taken(admitted);
    if (body.kind !== 'flowing') throw new Error('it was buffered');
    stream.complete = true;
    stream.end('last');
    expect((await buffer(body.stream)).equals(Buffer.concat([long, Buffer.from('last')]))).toBe(true);
  });
  it('reads each byte of a long object once, with any leading whitespace and in parts of any size', async () => {
    const { stream, intake } = arriving();
    const admitted = intake.admit('caller');
    const parts = 50_000; // scanned from the start at every part, it would take a thousand seconds and more
    stream.write(Buffer.alloc(HELD_BYTES - 1, ' '));
    stream.write('{');
    for (let part = 0; part < parts; part += 1) {
      if (!stream.write(' ')) await new Promise((resolve) => stream.once('drain', resolve));
    }
    stream.end('}');
    const body = await taken(admitted);
    expect('kind' in body && body.kind === 'long' && body.length).toBe(HELD_BYTES + parts + 1);
  });
  it('refuses a body that cannot be assembled, and rejects where it is awaited', async () => {
    const { stream, intake } = arriving();
    const admitted = intake.admit('caller');
    stream.write('{"a":1');
    vi.spyOn(Buffer, 'concat').mockImplementationOnce(() => {
      throw new RangeError('Array buffer allocation failed');
    });
    stream.end('}');
    await expect(admitted).rejects.toThrow('allocation failed');
  });
  it('refuses a body that delivers less than 1 KiB a second over 20 seconds, and takes a steady one', async () => {
    vi.useFakeTimers();
    try {
      const budget = new BodyBudget(2 ** 20, () => {});
      const [silent, steady] = [arriving(budget), arriving(budget)];
      const admitted = [silent, steady].map(({ intake }) => intake.admit('caller'));
      silent.stream.write('{"x":');
      for (let second = 0; second < 30; second += 1) {
        steady.stream.write(' '.repeat(1100));
        await vi.advanceTimersByTimeAsync(1000);
      }
      expect(await admitted[0]).toMatchObject({ code: 'request-too-slow' });
      steady.stream.end('{}');
      expect(await admitted[1]).toMatchObject({ kind: 'whole' });
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });
});
