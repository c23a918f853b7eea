import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { makeLinks, postgresBinaries, SYSTEM_FOLDER } from './binaries.ts';
import { serviceUser } from './service-user.ts';
import { reachableFolder } from './start.ts';

const parent = mkdtempSync(join(tmpdir(), 'gateway-folders-'));
chmodSync(parent, 0o755);
afterAll(() => rmSync(parent, { recursive: true, force: true }));

describe('the folder of the data', () => {
  it('is the requested one for an ordinary user, and nothing is made before it is needed', () => {
    const asked = join(parent, 'ordinary');
    expect(reachableFolder(asked, null)).toBe(asked);
    expect(reachableFolder(relative(process.cwd(), asked), null)).toBe(asked);
    expect(existsSync(asked)).toBe(false);
  });

  const user = serviceUser();
  describe.runIf(user !== null)('for root, whose server runs as another user,', () => {
    it('is the requested one where that user can enter it', () => {
      const asked = join(parent, 'open', 'deeper');
      expect(reachableFolder(asked, user)).toBe(asked);
      expect(statSync(asked).mode & 0o777).toBe(0o711);
    });

    it('is elsewhere below a private folder: the same one at each start, and never that of another', () => {
      const closed = join(parent, 'closed');
      mkdirSync(closed, { mode: 0o700 });
      const [one, other] = [join(closed, 'one'), join(closed, 'other')];
      const folder = reachableFolder(one, user);
      expect(folder.startsWith(`${SYSTEM_FOLDER}/data-`)).toBe(true);
      expect(readlinkSync(join(one, 'elsewhere'))).toBe(folder);
      expect(reachableFolder(one, user)).toBe(folder);
      const another = reachableFolder(other, user);
      expect(another).not.toBe(folder);
      for (const made of [folder, another]) rmSync(made, { recursive: true });
    });

    it('follows where an administrator moved it, by a path from anywhere', () => {
      const asked = join(parent, 'moved');
      mkdirSync(asked);
      symlinkSync('../disk/data', join(asked, 'elsewhere'));
      expect(reachableFolder(asked, user)).toBe(resolve(parent, 'disk/data'));
    });
  });
});

describe('the links of the programs', () => {
  /** A folder like that of the package, which cannot contain links. */
  function packaged(name: string): string {
    const folder = join(parent, name);
    mkdirSync(join(folder, 'lib'), { recursive: true });
    writeFileSync(join(folder, 'lib/libpq.so.5.18'), 'the library');
    const links = [
      { source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' },
      { source: 'native/lib/libpq.so.5', target: 'native/lib/libpq.so' },
    ];
    writeFileSync(join(folder, 'pg-symlinks.json'), JSON.stringify(links));
    return folder;
  }

  it('are made once, and stay right where the folder is moved', () => {
    const folder = packaged('package');
    makeLinks(folder);
    makeLinks(folder);
    expect(readFileSync(join(folder, 'lib/libpq.so'), 'utf8')).toBe('the library');
    expect(lstatSync(join(folder, 'lib/libpq.so')).isSymbolicLink()).toBe(true);
    expect(readlinkSync(join(folder, 'lib/libpq.so'))).toBe('libpq.so.5');
  });

  it('are completed where an earlier start was interrupted', () => {
    const folder = packaged('interrupted');
    symlinkSync('libpq.so.5.18', join(folder, 'lib/libpq.so.5'));
    makeLinks(folder);
    expect(readFileSync(join(folder, 'lib/libpq.so'), 'utf8')).toBe('the library');
  });

  it('lead to programs that run', () => {
    expect(existsSync(join(postgresBinaries(serviceUser()), 'postgres'))).toBe(true);
  });
});
