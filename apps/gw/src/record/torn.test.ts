import { mkdtempSync, rmSync, statSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readRecord } from './read.ts';
import { createRecordWriter } from './writer.ts';

let folder: string;
let path: string;
const append = (text: string): Promise<void> =>
  createRecordWriter({ path, now: () => new Date('2026-01-02T03:04:05Z'), mask: (one) => one }).append({
    kind: 'prompt',
    text,
  });

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'torn-'));
  path = join(folder, 'record.jsonl');
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('a last line that a crash cut off', () => {
  it('has its bytes counted, wherever it is cut, also within a character', async () => {
    await append('first');
    const whole = statSync(path).size;
    await append('é€🔒'.repeat(4));
    const all = statSync(path).size;
    for (let size = all - 2; size > whole; size -= 1) {
      truncateSync(path, size);
      const { entries, broken } = await readRecord(path);
      expect([size, entries.length, broken?.sequence, broken?.torn]).toEqual([size, 1, 2, size - whole]);
    }
    truncateSync(path, whole);
    expect(await readRecord(path)).toMatchObject({ broken: null, entries: { length: 1 } });
  });

  it('is removed by the next entry, which names as many bytes as were reported', async () => {
    await append('first');
    const whole = statSync(path).size;
    await append('🔒'.repeat(50));
    truncateSync(path, whole + 60);
    const { broken } = await readRecord(path);
    await append('third');
    expect(await readRecord(path)).toMatchObject({
      broken: null,
      entries: [{}, { sequence: 2, text: 'third', torn: broken?.torn }],
    });
  });
});

it('entries longer than what is read at once are read whole, with characters of any length', async () => {
  const texts = [1, 2, 3].map((length) => 'aé€🔒'.repeat(40_000 + length));
  for (const text of texts) await append(text);
  const { entries, broken } = await readRecord(path);
  expect(broken).toBeNull();
  expect(entries.map((entry) => entry['text'])).toEqual(texts);
});
