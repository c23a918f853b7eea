import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../testing/folder.ts';
import { readRecord } from './read.ts';
import { createRecordWriter } from './writer.ts';

const MODULE = fileURLToPath(new URL('writer.ts', import.meta.url));
const writerTo = (path: string) => createRecordWriter({ path, now: () => new Date(0), mask: (text) => text });

describe('where the disk takes only a part of an entry', () => {
  it('nothing of it stays, the action does not happen, and a smaller entry follows', async () => {
    const path = join(temporaryFolder(), 'record', 's.jsonl');
    const program = `
      const { createRecordWriter } = await import(${JSON.stringify(MODULE)});
      const writer = createRecordWriter({ path: ${JSON.stringify(path)}, now: () => new Date(0), mask: (text) => text });
      await writer.append({ kind: 'prompt', text: 'first' });
      for (const size of [100_000, 10])
        await writer.append({ kind: 'prompt', text: 'x'.repeat(size) }).then(
          () => console.log('written'),
          (error) => console.log(error.name + ': ' + error.message),
        );`;
    // Like a full disk: no file of this process may have more than some blocks.
    const words = ['-c', 'ulimit -f 8; exec "$0" --input-type=module --eval "$1"', process.execPath, program];
    const { stdout, stderr } = spawnSync('/bin/sh', words, { encoding: 'utf8' });
    expect(stdout.split('\n'), stderr).toEqual([
      expect.stringMatching(/^RecordFailed: The record .*s\.jsonl cannot be written, so nothing was done: /),
      'written',
      '',
    ]);
    const { entries, broken } = await readRecord(path);
    expect(broken).toBeNull();
    expect(entries.map(({ sequence, text }) => [sequence, text])).toEqual([
      [1, 'first'],
      [2, 'x'.repeat(10)],
    ]);
    expect(entries[1]).not.toHaveProperty('torn');
  });
});

describe('where the record cannot be', () => {
  it('because a file has the name of its folder, the action does not happen', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'record'), '');
    await expect(writerTo(join(folder, 'record', 's.jsonl')).append({ kind: 'prompt', text: 'x' })).rejects.toThrow(
      /cannot be written, so nothing was done: (?:a file has the name of a folder|the system refuses it \(EEXIST\))\.$/,
    );
  });

  it('because a folder has its name, the action does not happen', async () => {
    const path = join(temporaryFolder(), 'record', 's.jsonl');
    mkdirSync(path, { recursive: true });
    await expect(writerTo(path).append({ kind: 'prompt', text: 'x' })).rejects.toThrow(
      /cannot be written, so nothing was done: the system refuses it \(EISDIR\)\.$/,
    );
  });
});

it('thousands of entries that are appended together are one chain in their order', async () => {
  const path = join(temporaryFolder(), 'record', 's.jsonl');
  const writer = writerTo(path);
  const all = Array.from({ length: 3000 }, (_, at) => writer.append({ kind: 'prompt', text: `${at}` }));
  await Promise.all(all);
  const { entries, broken } = await readRecord(path);
  expect(broken).toBeNull();
  expect(entries.map(({ text }) => Number(text))).toEqual(Array.from({ length: 3000 }, (_, at) => at));
  expect(readFileSync(path, 'utf8').endsWith('}\n')).toBe(true);
});
