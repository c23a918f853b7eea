import { createHash } from 'node:crypto';
import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createSigner, generateSigningKey, readVerificationKey } from '@gateway/ledger';
import { describe, expect, it } from 'vitest';
import { askProgram } from '../../testing/ask-program.ts';
import { temporaryFolder } from '../../testing/folder.ts';
import { readSealed, verifyBundle } from './verify-run.ts';

const signer = createSigner(generateSigningKey());
const key = readVerificationKey(signer.publicKey);

/** A signed bundle of these files. */
function bundleOf(files: Readonly<Record<string, string>>, version = '1.2.0'): string {
  const folder = join(temporaryFolder(), 'bundle');
  const listed = Object.entries(files).map(([path, content]) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
    return { path, size: Buffer.byteLength(content), sha256: createHash('sha256').update(content).digest('hex') };
  });
  mkdirSync(folder, { recursive: true });
  const text = JSON.stringify({ format: 'gateway-release/1', name: 'gateway', version, files: listed });
  writeFileSync(join(folder, 'release.json'), text);
  writeFileSync(join(folder, 'release.json.sig'), signer.sign(Buffer.from(text)));
  return folder;
}
async function verified(folder: string, current: string | null = null) {
  const sealed = await readSealed(folder);
  if (sealed === null) return 'no bundle';
  const { version, faults } = await verifyBundle(folder, sealed, key, current);
  return { version, faults: faults.map(({ fault, file }) => `${fault} ${file}`) };
}
const INTACT = { version: '1.2.0', faults: [] };

describe('a bundle', () => {
  it('is as it was signed with files of any name and size, also none', async () => {
    expect(await verified(bundleOf({}))).toEqual(INTACT);
    expect(await verified(bundleOf({ 'a/b c/ü.js': 'x'.repeat(3 * 2 ** 20), '.env': '', 'a/empty': '' }))).toEqual(
      INTACT,
    );
  });

  it('may have empty folders, and a folder that is reached by a link', async () => {
    const folder = bundleOf({ 'a.js': 'a' });
    mkdirSync(join(folder, 'empty/deep'), { recursive: true });
    symlinkSync('bundle', join(folder, '..', 'current'));
    expect(await verified(join(folder, '..', 'current'))).toEqual(INTACT);
  });

  it.each<[string, (folder: string) => void, string]>([
    [
      'a file of the same size with one other bit',
      (folder) => writeFileSync(join(folder, 'b/b.js'), 'c'),
      'changed b/b.js',
    ],
    ['a file cut to nothing', (folder) => truncateSync(join(folder, 'a.js')), 'changed a.js'],
    [
      'a folder in the place of a file',
      (folder) => {
        rmSync(join(folder, 'a.js'));
        mkdirSync(join(folder, 'a.js'));
      },
      'changed a.js',
    ],
    ['a hidden file more', (folder) => writeFileSync(join(folder, 'b/.more'), ''), 'extra b/.more'],
    ['a link more, to a file of the bundle', (folder) => symlinkSync('a.js', join(folder, 'more.js')), 'extra more.js'],
    ['a link that leads nowhere', (folder) => symlinkSync('/nowhere', join(folder, 'b/gone')), 'extra b/gone'],
    ['a link to a folder, which is not followed', (folder) => symlinkSync('/', join(folder, 'root')), 'extra root'],
  ])('with %s is not as it was signed', async (_, change, fault) => {
    const folder = bundleOf({ 'a.js': 'a', 'b/b.js': 'b' });
    change(folder);
    expect(await verified(folder)).toEqual({ version: '1.2.0', faults: [fault] });
  });

  it('whose file is replaced by the end of a pipe is reported, and nothing waits for it', async () => {
    const folder = bundleOf({ 'a.js': 'a' });
    rmSync(join(folder, 'a.js'));
    await askProgram('mkfifo', ['a.js', 'more', 'release.json.pipe'], { cwd: folder });
    expect(await verified(folder)).toEqual({
      version: '1.2.0',
      faults: ['changed a.js', 'extra more', 'extra release.json.pipe'],
    });
  });

  it('whose folder of files is replaced by a link to one that has them is not trusted', async () => {
    const folder = bundleOf({ 'b/b.js': 'b' });
    const elsewhere = temporaryFolder();
    writeFileSync(join(elsewhere, 'b.js'), 'b');
    rmSync(join(folder, 'b'), { recursive: true });
    symlinkSync(elsewhere, join(folder, 'b'));
    expect(await verified(folder)).not.toEqual(INTACT);
  });

  it.each([
    ['1.2.0', []],
    ['1.1.9', []],
    ['1.2.0-rc.1', []],
    ['1.2.1', ['rollback release.json']],
    ['1.10.0', ['rollback release.json']],
  ])('beside the version %s in use has the faults %j', async (current, faults) => {
    expect(await verified(bundleOf({ 'a.js': 'a' }), current)).toEqual({ version: '1.2.0', faults });
  });
});

describe('a folder', () => {
  it.each<[string, (folder: string) => void]>([
    ['without a manifest', (folder) => rmSync(join(folder, 'release.json'))],
    ['without a signature', (folder) => rmSync(join(folder, 'release.json.sig'))],
    [
      'whose manifest is a folder',
      (folder) => {
        rmSync(join(folder, 'release.json'));
        mkdirSync(join(folder, 'release.json'));
      },
    ],
    [
      'whose signature is a link',
      (folder) => {
        rmSync(join(folder, 'release.json.sig'));
        symlinkSync('a.js', join(folder, 'release.json.sig'));
      },
    ],
    ['whose manifest is larger than any', (folder) => truncateSync(join(folder, 'release.json'), 64 * 2 ** 20 + 1)],
  ])('%s is no bundle', async (_, change) => {
    const folder = bundleOf({ 'a.js': 'a' });
    change(folder);
    expect(await verified(folder)).toBe('no bundle');
  });

  it('whose manifest is a pipe is no bundle, and nothing waits for it', async () => {
    const folder = bundleOf({ 'a.js': 'a' });
    rmSync(join(folder, 'release.json'));
    await askProgram('mkfifo', ['release.json'], { cwd: folder });
    expect(await verified(folder)).toBe('no bundle');
  });
});
