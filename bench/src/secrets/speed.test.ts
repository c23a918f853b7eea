import { createScanner } from '@gateway/secrets';
import { describe, expect, it } from 'vitest';
import { chatBody, measureSlices, measureSpeed, timed } from './speed.ts';

describe('a body of the measurement', () => {
  it('is a chat with a cut of the text, of the length that was asked for', () => {
    const body = chatBody('0123456789', 3, 4).toString();
    expect(JSON.parse(body)).toMatchObject({ stream: true, messages: [{ role: 'user', content: '3456' }] });
    expect(JSON.parse(chatBody('short', 0, 100).toString())).toMatchObject({ messages: [{ content: 'short' }] });
  });
});

it('the time of a call is that of this call', () => {
  let calls = 0;
  const time = timed(() => {
    calls += 1;
  });
  expect(calls).toBe(1);
  expect(time).toBeGreaterThan(0);
});

it('the longest slice is one of many of a large body, not the whole of it', async () => {
  let pauses = 0;
  const scanner = createScanner({ key: Buffer.from('x') });
  const counting = {
    ...scanner,
    scanBodyInSlices: async (body: Uint8Array, _type: string | undefined, pause: () => Promise<void>) => {
      for (let left = 3; left > 0; left -= 1) await pause();
      pauses += 3;
      return { findings: [], mask: () => body };
    },
  };
  const longest = await measureSlices(counting, 'words and more words ');
  expect(pauses).toBe(30);
  expect(longest).toBeGreaterThanOrEqual(0);
});

describe('the speed of scanning', () => {
  /** Counts what it is given; one text takes far longer than all others. */
  function scannerSlowAt(slow: string) {
    const seen: { readonly length: number; readonly type: string | undefined }[] = [];
    const scanner = {
      ...createScanner({ key: Buffer.from('x') }),
      scanBody: (body: Uint8Array, type: string | undefined) => {
        seen.push({ length: body.length, type });
        const until = Buffer.from(body.buffer, body.byteOffset, 200).includes(slow) ? performance.now() + 2 : 0;
        while (performance.now() < until);
        return { findings: [], mask: () => body };
      },
    };
    return { scanner, seen };
  }
  const TEXT = 'plain words of an ordinary conversation. '.repeat(5000);

  it('is measured with bodies of a chat of 100 kB and of 1 kB, as JSON', () => {
    const { scanner, seen } = scannerSlowAt('nothing');
    const speed = measureSpeed(scanner, TEXT);
    expect(speed.mbPerSecond).toBeGreaterThan(0);
    expect(speed.added100kB.p95).toBeGreaterThanOrEqual(speed.added100kB.p50);
    expect(speed.added1kBMicroseconds).toBeGreaterThan(0);
    expect(new Set(seen.map(({ type }) => type))).toEqual(new Set(['application/json']));
    const large = seen.filter(({ length }) => length > 100_000 && length < 101_000);
    expect(large).toHaveLength(200 * 7);
    expect(seen.filter(({ length }) => length > 900 && length < 1000)).toHaveLength(2000 * 5);
  });

  it('names how much longer the worst trigger takes than benign text of the same size', () => {
    const { scanner, seen } = scannerSlowAt('sk-proj-sk-proj-');
    expect(measureSpeed(scanner, TEXT).adversarial).toBeGreaterThan(2);
    const adversarial = seen.filter(({ length }) => length > 1_500_000);
    expect(adversarial.length).toBe(3 * 15);
  });
});
