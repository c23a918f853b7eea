import { mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { cardOf, testArchive, writeFiles } from '../testing/archive.ts';
import {
  type Archive,
  archiveFollower,
  decodeUtf8,
  loadArchive,
  lookRepeatedly,
  parseIdentityCard,
  pauseAfter,
  walk,
} from './archive.ts';

const load = async (folder: string): Promise<Archive> => {
  const archive = await loadArchive(folder);
  if ('fault' in archive) throw new Error(archive.fault);
  return archive;
};

describe('an archive', () => {
  it('is read with its card and the content of its files', async () => {
    const archive = testArchive({ 'guide/a.html': 'A' });
    const { card, files } = await load(archive.folder);
    expect(card).toEqual({ version: '1.0.0', path: '/v/1.0.0' });
    expect([...files.keys()].sort()).toEqual(['archive.json', 'guide/a.html', 'index.html']);
    expect(files.get('guide/a.html')?.bytes?.toString()).toBe('A');
  });
  it('keeps what it was when the folder changes', async () => {
    const archive = testArchive();
    const { files } = await load(archive.folder);
    archive.write({ 'index.html': 'other' });
    expect(files.get('index.html')?.bytes?.toString()).toBe('<h1>Home</h1>');
  });
  it('gives equal contents equal strong tags, and other contents others', async () => {
    const archive = testArchive({ 'a.txt': 'same', 'b.txt': 'same', 'c.txt': 'other' });
    const { files } = await load(archive.folder);
    expect(files.get('a.txt')?.etag).toMatch(/^"[\w-]{43}"$/);
    expect(files.get('a.txt')?.etag).toBe(files.get('b.txt')?.etag);
    expect(files.get('a.txt')?.etag).not.toBe(files.get('c.txt')?.etag);
  });
  it('has another fingerprint after any change', async () => {
    const archive = testArchive({ 'a.txt': 'a' });
    const seen = new Set([(await load(archive.folder)).fingerprint]);
    expect(seen).toContain((await load(archive.folder)).fingerprint);
    for (const change of [{ 'b.txt': '' }, { 'a.txt': 'b' }, { 'b.txt': null }, { 'archive.json': cardOf('1.0.1') }]) {
      archive.write(change);
      const { fingerprint } = await load(archive.folder);
      expect(seen).not.toContain(fingerprint);
      seen.add(fingerprint);
    }
  });
});

describe('a folder that cannot be served is a fault that names what to fix', () => {
  it('when it does not exist', async () => {
    const archive = testArchive();
    expect(await loadArchive(join(archive.root, 'nowhere'))).toEqual({
      fault: `${archive.root}/nowhere does not exist.`,
    });
  });
  it('when it is a file', async () => {
    const archive = testArchive();
    expect(await loadArchive(join(archive.folder, 'index.html'))).toEqual({
      fault: `${archive.folder}/index.html is not a folder.`,
    });
  });
  it('when it has no card', async () => {
    const archive = testArchive({ 'archive.json': null });
    expect(await loadArchive(archive.folder)).toEqual({
      fault: `${archive.folder}/archive.json is missing, and every unpacked documentation archive has one.`,
    });
  });
  it('when its card is a link that leaves it', async () => {
    const archive = testArchive({ 'archive.json': null });
    writeFileSync(join(archive.root, 'card.json'), cardOf('1.0.0'));
    renameSync(join(archive.folder, 'index.html'), join(archive.folder, 'other.html'));
    expect(await loadArchive(archive.folder)).toHaveProperty('fault', expect.stringContaining('archive.json'));
  });
  it('when its card is wrong', async () => {
    const archive = testArchive({ 'archive.json': '{}' });
    expect(await loadArchive(archive.folder)).toHaveProperty(
      'fault',
      expect.stringMatching(/archive\.json declares no version\.$/),
    );
  });
});

const read = (card: unknown) =>
  parseIdentityCard(typeof card === 'string' ? card : JSON.stringify(card), '/docs/archive.json');

describe('the identity card', () => {
  it.each(['1.0.0', '0.0.1', '10.20.30', '1.0.0-beta.1', '1.0.0+build.5', '1.0.0-rc-1.x+y'])('takes %s', (version) => {
    expect(read({ version, path: `/v/${version}` })).toEqual({ version, path: `/v/${version}` });
  });
  it('is accepted as an editor of another system writes it', () => {
    expect(read('\ufeff{"version":"1.0.0",\r\n"path":"/v/1.0.0"}\r\n')).toEqual({ version: '1.0.0', path: '/v/1.0.0' });
  });
  // documentation-5
  it('keeps only version and path', () => {
    expect(read({ version: '1.0.0', path: '/v/1.0.0', builtAt: 'yesterday' })).toEqual({
      version: '1.0.0',
      path: '/v/1.0.0',
    });
  });
  it.each([
    ['a text that is not JSON', '{"version":', /archive\.json is not JSON/],
    ['a list', [], /declares no version/],
    ['null', null, /not a JSON object/],
    ['a text', '"1.0.0"', /not a JSON object/],
    ['no version', { path: '/v/1.0.0' }, /declares no version/],
    ['an empty version', { version: '', path: '/v/' }, /declares no version/],
    ['a number as version', { version: 1, path: '/v/1' }, /declares no version/],
    ['a version that climbs', { version: '../../etc', path: '/v/../../etc' }, /not a semantic version/],
    ['a version with a v', { version: 'v1.0.0', path: '/v/v1.0.0' }, /not a semantic version/],
    ['a leading zero', { version: '01.0.0', path: '/v/01.0.0' }, /not a semantic version/],
    ['no path', { version: '1.0.0' }, /declares no path/],
    ['a path elsewhere', { version: '1.0.0', path: '/docs/1.0.0' }, /"\/docs\/1\.0\.0", which is not served/],
    ['a path of another version', { version: '1.0.0', path: '/v/2.0.0' }, /"\/v\/2\.0\.0", which is not served/],
    ['a path with a slash behind', { version: '1.0.0', path: '/v/1.0.0/' }, /which is not served/],
  ])('refuses %s, naming the file', (_, card, sentence) => {
    const refused = read(card);
    expect(refused).toHaveProperty('fault', expect.stringMatching(sentence));
    expect(refused).toHaveProperty('fault', expect.stringContaining('/docs/archive.json'));
  });
});

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

/** Follows a folder and keeps what was installed and rejected. */
async function follow(folder: string) {
  const first = await loadArchive(folder);
  if ('fault' in first) throw new Error(first.fault);
  const installed: string[] = [];
  const rejected: string[] = [];
  const look = archiveFollower({
    folder,
    fingerprint: first.fingerprint,
    install: async (archive) => {
      installed.push(`${archive.card.version} ${archive.files.get('index.html')?.bytes?.toString() ?? ''}`);
    },
    reject: ({ fault }) => rejected.push(fault),
  });
  return { installed, rejected, look };
}

it('does nothing while nothing changes', async () => {
  const archive = testArchive();
  const following = await follow(archive.folder);
  for (let times = 0; times < 3; times += 1) await following.look();
  expect(following.installed).toEqual([]);
});

it('installs an archive that was renamed into position, once it was seen twice', async () => {
  const archive = testArchive();
  const following = await follow(archive.folder);
  writeFiles(join(archive.root, 'next'), { 'archive.json': cardOf('2.0.0'), 'index.html': 'second' });
  renameSync(archive.folder, join(archive.root, 'old'));
  renameSync(join(archive.root, 'next'), archive.folder);
  await following.look();
  expect(following.installed).toEqual([]);
  await following.look();
  expect(following.installed).toEqual(['2.0.0 second']);
  await following.look();
  await following.look();
  expect(following.installed).toHaveLength(1);
});

it('takes an archive that a link was turned to', async () => {
  const archive = testArchive();
  const link = join(archive.root, 'current');
  symlinkSync('archive', link);
  const following = await follow(link);
  writeFiles(join(archive.root, 'next'), { 'archive.json': cardOf('2.0.0'), 'index.html': 'second' });
  symlinkSync('next', `${link}.new`);
  renameSync(`${link}.new`, link);
  await following.look();
  await following.look();
  expect(following.installed).toEqual(['2.0.0 second']);
});

it('takes the same version installed again with other content', async () => {
  const archive = testArchive();
  const following = await follow(archive.folder);
  archive.write({ 'index.html': 'fixed' });
  await following.look();
  await following.look();
  expect(following.installed).toEqual(['1.0.0 fixed']);
});

it('takes nothing while the folder is being written, look after look', async () => {
  const archive = testArchive();
  const following = await follow(archive.folder);
  for (let page = 0; page < 5; page += 1) {
    archive.write({ [`page-${page}.html`]: 'x', 'index.html': `half ${page}` });
    await following.look();
  }
  expect(following.installed).toEqual([]);
  archive.write({ 'index.html': 'whole', 'archive.json': cardOf('1.1.0') });
  await following.look();
  await following.look();
  expect(following.installed).toEqual(['1.1.0 whole']);
});

it('keeps the earlier archive beside a faulty or missing one, reports this once, and installs a valid one afterwards', async () => {
  const archive = testArchive();
  const following = await follow(archive.folder);
  archive.write({ 'archive.json': '{"version":' });
  for (let times = 0; times < 4; times += 1) await following.look();
  expect(following.rejected).toEqual([expect.stringMatching(/archive\.json is not JSON/)]);
  rmSync(archive.folder, { recursive: true });
  for (let times = 0; times < 4; times += 1) await following.look();
  expect(following.rejected).toEqual([expect.anything(), expect.stringMatching(/does not exist/)]);
  expect(following.installed).toEqual([]);
  archive.write({ 'archive.json': cardOf('3.0.0'), 'index.html': 'third' });
  await following.look();
  await following.look();
  expect(following.installed).toEqual(['3.0.0 third']);
});

it('checks again after an archive was installed or refused as soon as after any other check', async () => {
  let time = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => time);
  onTestFinished(() => clock.mockRestore());
  const archive = testArchive();
  const spend = (): void => {
    time += 60_000;
  };
  const install = async (): Promise<void> => spend();
  const look = archiveFollower({ folder: archive.folder, fingerprint: 'none', install, reject: spend });
  expect(await look()).toEqual({ calm: false, took: 0 });
  expect(await look()).toEqual({ calm: true, took: 0 });
  archive.write({ 'archive.json': '{' });
  expect(await look()).toEqual({ calm: false, took: 0 });
  expect(await look()).toEqual({ calm: true, took: 0 });
  expect(time).toBe(120_000);
});

it('waits longer after a long look, and less long where the folder is changing', () => {
  expect(pauseAfter({ calm: true, took: 1 })).toBe(1000);
  expect(pauseAfter({ calm: true, took: 100 })).toBe(5000);
  expect(pauseAfter({ calm: false, took: 1 })).toBe(200);
  expect(pauseAfter({ calm: false, took: 100 })).toBe(500);
});

it('looks again and again, also after a look that failed, until it is stopped', async () => {
  const failures: string[] = [];
  let looks = 0;
  await new Promise<void>((resolve) => {
    const stop = lookRepeatedly(
      async () => {
        looks += 1;
        if (looks === 1) throw new Error('no luck');
        if (looks < 4) return { calm: false, took: 0 };
        stop();
        resolve();
        return { calm: true, took: 0 };
      },
      ({ message }) => failures.push(message),
    );
  });
  expect([looks, failures]).toEqual([4, ['no luck']]);
});
