import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cardOf, testArchive } from '../testing/archive.ts';
import { type Archive, loadArchive, parseIdentityCard } from './load.ts';

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
