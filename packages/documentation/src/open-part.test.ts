import { renameSync, truncateSync, writeFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { walk } from './corpus/archive.ts';
import { openPart } from './documentation.ts';
import { testArchive } from './testing/archive.ts';

async function partOf(name: string) {
  const archive = testArchive({ [name]: '0123456789' });
  const entry = (await walk(archive.folder)).find((file) => file.name === name);
  if (!entry) throw new Error(`${name} is not there`);
  return { archive, part: { path: entry.path, mark: entry.mark, start: 2, end: 4 } };
}

it('reads the part of a file that is still the same', async () => {
  const { part } = await partOf('big.bin');
  const stream = await openPart(part);
  expect(stream && (await text(stream))).toBe('234');
});

it('reads nothing of a file that was replaced or removed', async () => {
  const { archive, part } = await partOf('big.bin');
  archive.write({ 'big.bin': '9876543210' });
  expect(await openPart(part)).toBeNull();
  archive.write({ 'big.bin': null });
  expect(await openPart(part)).toBeNull();
});

const SIZE = 1024 * 1024;

/** Reads the first chunk of a big file, does something, and reads on. */
async function readOn(meanwhile: (path: string) => void): Promise<string> {
  const archive = testArchive({ 'big.bin': 'x'.repeat(SIZE) });
  const entry = (await walk(archive.folder)).find((file) => file.name === 'big.bin');
  const stream = entry && (await openPart({ path: entry.path, mark: entry.mark, start: 0, end: SIZE - 1 }));
  if (!stream) throw new Error('the file is not there');
  let read = '';
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    if (read === '') meanwhile(entry.path);
    read += chunk.toString('latin1');
  }
  return read;
}

it('continues reading a file that was replaced by another', async () => {
  const read = await readOn((path) => {
    writeFileSync(`${path}.new`, 'y'.repeat(SIZE));
    renameSync(`${path}.new`, path);
  });
  expect(read === 'x'.repeat(SIZE)).toBe(true);
});

it.each([
  ['cut', (path: string) => truncateSync(path, 200_000)],
  ['written over', (path: string) => writeFileSync(path, 'y'.repeat(SIZE), { flag: 'r+' })],
])('fails where the file is %s while it is read', async (_, meanwhile) => {
  await expect(readOn(meanwhile)).rejects.toThrow('big.bin was written to while it was sent');
});
