import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { testArchive } from '../testing/archive.ts';
import { decodeUtf8, walk } from './walk.ts';

const namesIn = async (folder: string) => (await walk(folder)).map(({ name }) => name);

it('lists regular files of all depths, sorted, with their sizes', async () => {
  const archive = testArchive({ 'a/b/c.html': 'four', 'a.txt': '' });
  const entries = await walk(archive.folder);
  expect(entries.map(({ name, size }) => [name, size])).toEqual([
    ['a.txt', 0],
    ['a/b/c.html', 4],
    ['archive.json', 37],
    ['index.html', 13],
  ]);
});

it('leaves out names that start with a dot, except .well-known', async () => {
  const archive = testArchive({ '.env': 'SECRET=1', '.git/config': 'x', '.well-known/a.txt': 'x' });
  expect(await namesIn(archive.folder)).toEqual(['.well-known/a.txt', 'archive.json', 'index.html']);
});

it('follows a link that stays inside and none that leaves', async () => {
  const archive = testArchive({ 'real/page.html': 'x' });
  const { root, folder } = archive;
  writeFileSync(join(root, 'secret.txt'), 'secret');
  // A neighbour whose name has the archive's name as a prefix is outside, too.
  mkdirSync(`${folder}-outside`);
  writeFileSync(join(`${folder}-outside`, 'secret.txt'), 'secret');
  symlinkSync('real', join(folder, 'alias'));
  symlinkSync(join(root, 'secret.txt'), join(folder, 'leaves.txt'));
  symlinkSync('../secret.txt', join(folder, 'climbs.txt'));
  symlinkSync(`${folder}-outside`, join(folder, 'neighbour'));
  symlinkSync('/', join(folder, 'everything'));
  symlinkSync('nowhere', join(folder, 'broken'));
  expect(await namesIn(folder)).toEqual(['alias/page.html', 'archive.json', 'index.html', 'real/page.html']);
});

it('leaves out names that are not UTF-8, and links to them', async () => {
  const archive = testArchive({ 'café.html': 'x', '\ufffd.html': 'x' });
  const inBytes = (name: string) => Buffer.from(join(archive.folder, name), 'latin1');
  writeFileSync(inBytes('caf\xe9.html'), 'x');
  mkdirSync(inBytes('d\xff'));
  writeFileSync(inBytes('d\xff/page.html'), 'x');
  symlinkSync(Buffer.from('caf\xe9.html', 'latin1'), join(archive.folder, 'linked.html'));
  expect(await namesIn(archive.folder)).toEqual(['archive.json', 'café.html', 'index.html', '\ufffd.html']);
});

it('ends where a link points to a folder above itself', async () => {
  const archive = testArchive({ 'a/b/page.html': 'x' });
  symlinkSync('../..', join(archive.folder, 'a/b/up'));
  symlinkSync('.', join(archive.folder, 'self'));
  expect(await namesIn(archive.folder)).toEqual(['a/b/page.html', 'archive.json', 'index.html']);
});

it('takes an archive that is itself a link', async () => {
  const archive = testArchive();
  symlinkSync('archive', join(archive.root, 'current'));
  expect(await namesIn(join(archive.root, 'current'))).toEqual(['archive.json', 'index.html']);
});

it('marks a file again when it is written to, even with an old time stamp', async () => {
  const archive = testArchive({ 'page.html': 'one' });
  const markOf = async () => (await walk(archive.folder)).find(({ name }) => name === 'page.html')?.mark;
  const first = await markOf();
  expect(await markOf()).toBe(first);
  archive.write({ 'page.html': 'two' });
  utimesSync(join(archive.folder, 'page.html'), 0, 0);
  expect(await markOf()).not.toBe(first);
});

it('fails on a folder that is not there', async () => {
  await expect(walk('/nowhere/at/all')).rejects.toThrow(/ENOENT/);
});

const TEXT = '# Größe\r\n\r\n“Ein” Euro: 5 €';
const bigEndian = (text: string) => Buffer.from(text, 'utf16le').swap16();
const WINDOWS = Buffer.concat([
  Buffer.from('# Größe\r\n\r\n', 'latin1'),
  Buffer.from([0x93, 0x45, 0x69, 0x6e, 0x94]),
  Buffer.from(' Euro: 5 '),
  Buffer.from([0x80]),
]);

it.each([
  ['UTF-8', Buffer.from(TEXT)],
  ['UTF-8 behind a mark', Buffer.from(`\ufeff${TEXT}`)],
  ['UTF-16, little end first', Buffer.from(`\ufeff${TEXT}`, 'utf16le')],
  ['UTF-16, big end first', bigEndian(`\ufeff${TEXT}`)],
  ['the code page of Windows', WINDOWS],
])('a text in %s is the same text', (_, bytes) => {
  expect(decodeUtf8(bytes)).toBe(TEXT);
});

it('an empty file is an empty text', () => {
  expect(decodeUtf8(Buffer.alloc(0))).toBe('');
});
