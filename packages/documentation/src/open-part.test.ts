import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { walk } from './archive/walk.ts';
import { openPart } from './open-part.ts';
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

it('reads nothing of a file that was replaced, or is gone', async () => {
  const { archive, part } = await partOf('big.bin');
  archive.write({ 'big.bin': '9876543210' });
  expect(await openPart(part)).toBeNull();
  archive.write({ 'big.bin': null });
  expect(await openPart(part)).toBeNull();
});
