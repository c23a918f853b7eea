import { execFile } from 'node:child_process';
import { appendFileSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../testing/folder.ts';
import type { RecordInput } from './entry.ts';
import { purgeRecord, readRecord } from './read.ts';
import { createRecordWriter, RecordFailed } from './writer.ts';

const hour = (count: number): Date => new Date(Date.UTC(2026, 0, 1, count));
const pathIn = (folder: string): string => join(folder, 'record', 's.jsonl');

/** A writer whose clock advances by an hour with each entry. */
function writerTo(path: string) {
  let hours = 0;
  return createRecordWriter({
    path,
    now: () => hour(hours++),
    mask: (text) => text.replaceAll('S3CRET', '[masked]'),
  });
}

async function recorded(count: number): Promise<string> {
  const path = pathIn(temporaryFolder());
  const writer = writerTo(path);
  for (let at = 0; at < count; at += 1) await writer.append({ kind: 'prompt', text: `prompt ${at}` });
  return path;
}

const lines = (path: string): string[] => readFileSync(path, 'utf8').trimEnd().split('\n');
const put = (path: string, all: readonly string[]): void => writeFileSync(path, `${all.join('\n')}\n`);

it('chains entries from the first on, and leaves them to their owner alone', async () => {
  const path = await recorded(3);
  const { entries, broken } = await readRecord(path);
  expect(broken).toBeNull();
  expect(entries.map(({ sequence, text }) => [sequence, text])).toEqual([
    [1, 'prompt 0'],
    [2, 'prompt 1'],
    [3, 'prompt 2'],
  ]);
  expect(entries[0]?.previous).toBe('0'.repeat(64));
  expect(entries[2]?.previous).toBe(entries[1]?.digest);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
});

it('keeps the order of entries that nobody waited for', async () => {
  const path = pathIn(temporaryFolder());
  const writer = writerTo(path);
  await Promise.all(['a', 'b', 'c', 'd'].map((text) => writer.append({ kind: 'prompt', text })));
  expect((await readRecord(path)).entries.map(({ text }) => text)).toEqual(['a', 'b', 'c', 'd']);
});

it('lets an entry that is none fail alone among those that are appended together', async () => {
  const path = pathIn(temporaryFolder());
  const writer = writerTo(path);
  const outcomes = await Promise.allSettled([
    writer.append({ kind: 'prompt', text: 'a' }),
    writer.append({ kind: 'prompt', sequence: 7 }),
    writer.append({ kind: 'prompt', text: 'b' }),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  await writer.append({ kind: 'prompt', text: 'c' });
  const { entries, broken } = await readRecord(path);
  expect([broken, entries.map(({ sequence, text }) => [sequence, text])]).toEqual([
    null,
    [
      [1, 'a'],
      [2, 'b'],
      [3, 'c'],
    ],
  ]);
});

it('fails the whole batch if the file cannot be written, and continues once it can', async () => {
  const folder = temporaryFolder();
  const path = pathIn(folder);
  writeFileSync(dirname(path), 'a file where the folder should be');
  const writer = writerTo(path);
  const append = (text: string) => writer.append({ kind: 'prompt', text });
  const outcomes = await Promise.allSettled([append('a'), append('b')]);
  expect(outcomes.every((one) => one.status === 'rejected' && one.reason instanceof RecordFailed)).toBe(true);
  rmSync(dirname(path));
  await append('c');
  expect((await readRecord(path)).entries.map(({ sequence, text }) => [sequence, text])).toEqual([[1, 'c']]);
});

// client-12
it('masks every text, omits undefined members, and accepts any JavaScript string', async () => {
  const path = pathIn(temporaryFolder());
  const target = { kind: 'command', value: ['echo S3CRET', 7, null, true] };
  await writerTo(path).append({ kind: 'proposed-action', tool: 'Bash', target, rule: undefined, odd: '\ud800' });
  const { entries, broken } = await readRecord(path);
  expect(broken).toBeNull();
  expect(entries[0]).toMatchObject({
    target: { kind: 'command', value: ['echo [masked]', 7, null, true] },
    odd: '\ufffd',
  });
  expect(entries[0]).not.toHaveProperty('rule');
});

it('takes no member of the chain from its caller', async () => {
  const forged = { kind: 'prompt', digest: 'made up' } as RecordInput;
  await expect(writerTo(pathIn(temporaryFolder())).append(forged)).rejects.toThrow('"digest"');
});

// client-18
it('reports that nothing was done if an entry cannot be written', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'record'), 'a file where the folder should be');
  const failed = writerTo(pathIn(folder)).append({ kind: 'prompt', text: 'x' });
  await expect(failed).rejects.toThrow(RecordFailed);
  await expect(failed).rejects.toThrow(/cannot be written, so nothing was done/);
});

it('continues after another process has written meanwhile', async () => {
  const path = await recorded(1);
  const [one, other] = [writerTo(path), writerTo(path)];
  for (const writer of [one, other, one, one, other]) await writer.append({ kind: 'prompt', text: 'more' });
  expect(await readRecord(path)).toMatchObject({ broken: null, entries: { length: 6 } });
});

it('is whole after several processes wrote at once', async () => {
  const path = pathIn(temporaryFolder());
  const program = `
    import { createRecordWriter } from ${JSON.stringify(new URL('writer.ts', import.meta.url).href)};
    const writer = createRecordWriter({ path: ${JSON.stringify(path)}, now: () => new Date(), mask: (text) => text });
    for (let at = 0; at < 15; at += 1) await writer.append({ kind: 'prompt', text: String(process.pid) });`;
  const run = () => promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program]);
  await Promise.all([run(), run(), run()]);
  expect(await readRecord(path)).toMatchObject({ broken: null, entries: { length: 45 } });
});

it('takes over the lock of a process that was killed', async () => {
  const path = await recorded(1);
  writeFileSync(`${path}.lock`, JSON.stringify({ host: (await import('node:os')).hostname(), pid: 2 ** 22 + 1 }));
  await writerTo(path).append({ kind: 'session-ended' });
  expect((await readRecord(path)).entries).toHaveLength(2);
});

it('reports a line that a crash cut off, and continues after the last complete one', async () => {
  const path = await recorded(3);
  truncateSync(path, statSync(path).size - 30);
  const torn = await readRecord(path);
  expect(torn.entries).toHaveLength(2);
  expect(torn.broken).toMatchObject({ sequence: 3, torn: expect.any(Number) as number });
  expect(torn.broken?.reason).toContain('Its action did not happen');

  await writerTo(path).append({ kind: 'prompt', text: 'after the crash' });
  const { entries, broken } = await readRecord(path);
  expect(broken).toBeNull();
  expect(entries.at(-1)).toMatchObject({ sequence: 3, text: 'after the crash', torn: torn.broken?.torn });
});

it('takes a last entry that lacks its line feed alone as whole', async () => {
  const path = await recorded(2);
  truncateSync(path, statSync(path).size - 1);
  expect((await readRecord(path)).broken).toBeNull();
  await writerTo(path).append({ kind: 'session-ended' });
  expect(await readRecord(path)).toMatchObject({ broken: null, entries: { length: 3 } });
});

it('begins again where all that there is was cut off', async () => {
  const path = await recorded(1);
  truncateSync(path, 20);
  await writerTo(path).append({ kind: 'session-started' });
  expect((await readRecord(path)).entries).toMatchObject([{ sequence: 1, torn: 20 }]);
});

it('finds the end of a line that is longer than a block', async () => {
  const path = pathIn(temporaryFolder());
  await writerTo(path).append({ kind: 'prompt', text: 'é'.repeat(200_000) });
  await writerTo(path).append({ kind: 'session-ended' });
  expect(await readRecord(path)).toMatchObject({ broken: null, entries: { length: 2 } });
});

it('puts nothing behind a last entry that was changed', async () => {
  const path = await recorded(2);
  put(
    path,
    lines(path).map((line) => line.replace('prompt 1', 'another')),
  );
  await expect(writerTo(path).append({ kind: 'prompt', text: 'x' })).rejects.toThrow(/its last entry does not verify/);
  appendFileSync(path, 'no entry\n');
  await expect(writerTo(path).append({ kind: 'prompt', text: 'x' })).rejects.toThrow(/its last entry does not verify/);
});

it.each([
  ['changed', (all: string[]) => all.with(2, String(all[2]).replace('prompt 2', 'other')), 3],
  ['taken out', (all: string[]) => all.toSpliced(2, 1), 4],
  ['put in', (all: string[]) => all.toSpliced(2, 0, String(all[1])), 2],
  ['swapped', (all: string[]) => all.with(2, String(all[3])).with(3, String(all[2])), 4],
  ['first taken out', (all: string[]) => all.slice(1), 2],
  ['no JSON', (all: string[]) => all.with(3, 'x'), 4],
  ['with a member twice', (all: string[]) => all.with(3, String(all[3]).replace('{', '{"text":"x",')), 4],
  ['of an unknown kind', (all: string[]) => all.with(0, String(all[0]).replace('"prompt"', '"wish"')), 1],
])('finds an entry that was %s', async (_, change, at) => {
  const path = await recorded(5);
  put(path, change(lines(path)));
  expect((await readRecord(path)).broken?.sequence).toBe(at);
});

it('finds any change of a byte', async () => {
  const path = await recorded(4);
  const whole = readFileSync(path);
  await fc.assert(
    fc.asyncProperty(fc.nat(whole.length - 2), fc.integer({ min: 1, max: 255 }), async (at, flip) => {
      const changed = Buffer.from(whole);
      changed[at] = (changed[at] ?? 0) ^ flip;
      writeFileSync(path, changed);
      expect((await readRecord(path)).broken).not.toBeNull();
    }),
    { numRuns: 200 },
  );
});

it('purges what is older, and the rest verifies by the purge entry', async () => {
  const path = await recorded(6);
  const copy = lines(path);
  expect(await purgeRecord(path, hour(4), hour(10))).toEqual({ outcome: 'purged', removed: 4, kept: 2 });
  const { entries, broken, purged } = await readRecord(path);
  expect(broken).toBeNull();
  expect(entries.map(({ sequence, kind }) => [sequence, kind])).toEqual([
    [5, 'prompt'],
    [6, 'prompt'],
    [7, 'purge'],
  ]);
  const fourth = JSON.parse(String(copy[3])) as { digest: string; at: string };
  expect(purged).toMatchObject([{ first: 1, last: 4, digest: fourth.digest, until: fourth.at, provedBy: 7 }]);
  await writerTo(path).append({ kind: 'session-ended' });
  expect((await readRecord(path)).broken).toBeNull();
});

it('changes nothing if nothing is older, or if the chain is broken', async () => {
  const path = await recorded(3);
  const before = readFileSync(path, 'utf8');
  expect(await purgeRecord(path, hour(0), hour(10))).toEqual({ outcome: 'unchanged' });
  expect(readFileSync(path, 'utf8')).toBe(before);
  put(path, lines(path).toSpliced(1, 1));
  expect(await purgeRecord(path, hour(9), hour(10))).toMatchObject({ outcome: 'broken', broken: { sequence: 3 } });
  expect(lines(path)).toHaveLength(2);
});

it('purges the remains of a crash, and reports it', async () => {
  const path = await recorded(3);
  truncateSync(path, statSync(path).size - 5);
  expect(await purgeRecord(path, hour(1), hour(10))).toMatchObject({ removed: 1 });
  const { entries, broken } = await readRecord(path);
  expect(broken).toBeNull();
  expect(entries.at(-1)).toMatchObject({ kind: 'purge', torn: expect.any(Number) as number });
});

it('does not take a purge entry for a removal that it does not prove', async () => {
  const path = await recorded(6);
  await purgeRecord(path, hour(3), hour(10));
  const all = lines(path);
  put(path, all.slice(1));
  expect((await readRecord(path)).broken?.sequence).toBe(5);
  put(path, all.slice(0, -1));
  expect((await readRecord(path)).broken?.sequence).toBe(4);
});

it('verifies after any series of purges', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(30), { maxLength: 6 }), fc.nat(20), async (purges, count) => {
      const path = pathIn(temporaryFolder());
      const writer = writerTo(path);
      for (let at = 0; at <= count; at += 1) await writer.append({ kind: 'prompt', text: 'x' });
      for (const [at, before] of purges.entries()) {
        await purgeRecord(path, hour(before), hour(15 + at));
        await writer.append({ kind: 'prompt', text: 'y' });
      }
      const { broken, entries, purged } = await readRecord(path);
      expect(broken).toBeNull();
      const removed = purged.reduce((sum, { first, last }) => sum + last - first + 1, 0);
      expect(entries.length + removed).toBe(entries.at(-1)?.sequence);
    }),
    { numRuns: 25 },
  );
});
