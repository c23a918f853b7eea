import { describe, expect, it } from 'vitest';
import { changes, given, refused } from '../testing/api.ts';
import { stream } from './stream.ts';

/** An answer whose body arrives in these parts, and then ends, or fails when it is said so. */
const inParts = (parts: readonly Uint8Array[], broken?: Promise<void>) => {
  const rest = [...parts];
  return () =>
    new Response(
      new ReadableStream<Uint8Array>({
        async pull(controller) {
          const next = rest.shift();
          if (next !== undefined) return controller.enqueue(next);
          if (broken === undefined) return controller.close();
          await broken;
          controller.error(new TypeError('terminated'));
        },
      }),
    );
};

const LINES = [{ verified: 1, who: 'Zoë €' }, { verified: 2 }, { result: 'whole' }];
const BYTES = new TextEncoder().encode(LINES.map((line) => `${JSON.stringify(line)}\n`).join(''));

async function readAll(): Promise<readonly unknown[]> {
  const lines: unknown[] = [];
  for await (const line of stream('/api/verify', { chain: 'decisions' })) lines.push(line);
  return lines;
}

describe('a progress report', () => {
  it('is read line by line, wherever the network cuts it', async () => {
    for (const size of [1, 2, 3, 7, BYTES.length]) {
      const parts = Array.from({ length: Math.ceil(BYTES.length / size) }, (_, n) =>
        BYTES.slice(n * size, (n + 1) * size),
      );
      given('POST /api/verify', inParts(parts));
      expect(await readAll()).toEqual(LINES);
    }
    expect(changes()[0]).toEqual(['POST /api/verify', { chain: 'decisions' }]);
  });

  it('gives the lines that arrived before the connection ended, then fails', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    given('POST /api/verify', inParts([BYTES.slice(0, 40)], promise));
    const lines: unknown[] = [];
    const reading = async () => {
      for await (const line of stream('/api/verify', {})) {
        lines.push(line);
        resolve();
      }
    };
    await expect(reading()).rejects.toThrow('terminated');
    expect(lines).toEqual([LINES[0]]);
  });

  it('is empty where nothing is sent', async () => {
    given('POST /api/verify', () => new Response(null));
    expect(await readAll()).toEqual([]);
  });

  it('fails with the sentence of a refusal', async () => {
    given('POST /api/verify', refused(403, 'Your roles do not permit audit:verifier.'));
    await expect(readAll()).rejects.toMatchObject({ status: 403, message: 'Your roles do not permit audit:verifier.' });
  });
});
