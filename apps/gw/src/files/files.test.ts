import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { lstat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withoutPrivileges } from '../testing/rights.ts';
import { listDirectory } from './listing.ts';
import { FIXES, LONGEST_TEXT, readText } from './reading.ts';
import { rightsOf } from './replace.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gw-files-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

describe('a text that people saved', () => {
  it.each([
    ['plain', 'a: 1\n', 'a: 1\n'],
    ['empty', '', ''],
    ['with a byte order mark', '\ufeffa: 1\n', 'a: 1\n'],
    ['with the line ends of Windows', 'a: 1\r\nb: 2\r\n', 'a: 1\r\nb: 2\r\n'],
    ['beyond ASCII', 'größe: 東京 🔑', 'größe: 東京 🔑'],
  ])('%s', async (name, content, text) => {
    const reading = await readText(file(name, content));
    expect(reading).toEqual({ state: 'read', text, bytes: Buffer.byteLength(content) });
  });

  it('is read up to a mebibyte', async () => {
    const path = file('long', 'x'.repeat(LONGEST_TEXT));
    expect(await readText(path)).toMatchObject({ state: 'read', bytes: LONGEST_TEXT });
    writeFileSync(path, 'x'.repeat(LONGEST_TEXT + 1));
    expect(await readText(path)).toEqual({ state: 'too large', bytes: LONGEST_TEXT + 1 });
  });

  it('of a hundred million bytes is not read at all', async () => {
    const path = file('huge', '');
    truncateSync(path, 100_000_000);
    expect(await readText(path)).toEqual({ state: 'too large', bytes: 100_000_000 });
  });

  it('may grow while it is read', async () => {
    const path = file('growing', 'x'.repeat(100));
    const reading = readText(path);
    appendFileSync(path, 'y'.repeat(200_000));
    const { state, bytes } = await reading;
    expect(state).toBe('read');
    expect(bytes).toBeGreaterThanOrEqual(100);
    expect(bytes).toBeLessThanOrEqual(200_100);
  });

  it('that the system makes up and says to be empty is read, and is bounded', async () => {
    expect(await readText('/proc/self/status')).toMatchObject({ state: 'read' });
    expect(await readText('/dev/zero')).toEqual({ state: 'not a file', bytes: null });
  });

  it.each([
    ['in Latin 1', Buffer.from('gr\xf6\xdfe', 'latin1')],
    ['in UTF-16', Buffer.from('\ufeffa: 1', 'utf16le')],
    ['with a zero byte', Buffer.from('a\0b')],
    ['cut within a sign', Buffer.from('東').subarray(0, 2)],
  ])('%s is not accepted', async (name, content) => {
    expect(await readText(file(name, content))).toEqual({ state: 'not UTF-8', bytes: content.length });
  });
});

describe('an object that is no text file', () => {
  it('is reported by its kind', async () => {
    mkdirSync(join(folder, 'directory'));
    symlinkSync('loop', join(folder, 'loop'));
    symlinkSync('nowhere', join(folder, 'dangling'));
    symlinkSync('plain', join(folder, 'link'));
    expect(await readText(join(folder, 'absent'))).toEqual({ state: 'absent', bytes: null });
    expect(await readText(join(folder, 'plain', 'below'))).toEqual({ state: 'absent', bytes: null });
    expect(await readText(join(folder, 'n'.repeat(300)))).toEqual({ state: 'absent', bytes: null });
    expect(await readText(join(folder, 'directory'))).toEqual({ state: 'directory', bytes: null });
    expect(await readText(join(folder, 'loop'))).toEqual({ state: 'link loop', bytes: null });
    expect(await readText(join(folder, 'dangling'))).toEqual({ state: 'absent', bytes: null });
    expect(await readText(join(folder, 'link'))).toMatchObject({ state: 'read', text: 'a: 1\n' });
  });

  it('a pipe is not waited for', async () => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    expect(await readText(pipe)).toEqual({ state: 'not a file', bytes: null });
  });

  it('a file that may not be read', async () => {
    const closed = file('closed', 'a: 1');
    execFileSync('chmod', ['000', closed]);
    execFileSync('chmod', ['755', folder]);
    expect(await withoutPrivileges(() => readText(closed))).toEqual({ state: 'no permission', bytes: null });
  });

  it('each has words about what to do', () => {
    for (const fix of Object.values(FIXES)) expect(fix).toMatch(/^[A-Z].*\.$/);
  });
});

describe('a directory', () => {
  it('is listed by name, links not followed', async () => {
    const at = join(folder, 'listed');
    mkdirSync(join(at, 'b'), { recursive: true });
    writeFileSync(join(at, 'c.md'), 'text');
    symlinkSync('/', join(at, 'a'));
    execFileSync('mkfifo', [join(at, 'd')]);
    const listing = await listDirectory(at);
    expect(listing).toMatchObject({ state: 'read', more: false });
    const entries = listing.state === 'read' ? listing.entries : [];
    expect(entries.map(({ name, kind }) => [name, kind])).toEqual([
      ['a', 'link'],
      ['b', 'directory'],
      ['c.md', 'file'],
      ['d', 'other'],
    ]);
    expect(entries[2]?.stats?.size).toBe(4);
  });

  it('may contain names that are not UTF-8', async () => {
    const at = join(folder, 'foreign');
    mkdirSync(at);
    writeFileSync(Buffer.concat([Buffer.from(`${at}/gr`), Buffer.from([0xf6]), Buffer.from('n.md')]), 'text');
    writeFileSync(join(at, 'grün.md'), 'text');
    const listing = await listDirectory(at);
    const entries = listing.state === 'read' ? listing.entries : [];
    expect(entries.map(({ name, nameable, kind }) => [name, nameable, kind])).toEqual([
      ['gr\\xf6n.md', false, 'file'],
      ['grün.md', true, 'file'],
    ]);
  });

  it('of many files is listed in part, and marked as such', async () => {
    const at = join(folder, 'many');
    mkdirSync(at);
    for (let count = 0; count < 1001; count += 1) writeFileSync(join(at, `${count}`), '');
    const listing = await listDirectory(at);
    expect(listing).toMatchObject({ state: 'read', more: true });
    expect(listing.state === 'read' && listing.entries.length).toBe(1000);
    rmSync(join(at, '0'));
    expect(await listDirectory(at)).toMatchObject({ more: false });
  });

  it('that cannot be listed says why', async () => {
    const closed = join(folder, 'closed-directory');
    mkdirSync(closed, { mode: 0o000 });
    expect(await listDirectory(join(folder, 'absent'))).toEqual({ state: 'absent' });
    expect(await listDirectory(join(folder, 'plain'))).toEqual({ state: 'not a directory' });
    expect(await listDirectory(join(folder, 'loop'))).toEqual({ state: 'link loop' });
    expect(await withoutPrivileges(() => listDirectory(closed))).toEqual({ state: 'no permission' });
    rmdirSync(closed); // only the superuser can remove it with what is around it
  });
});

describe('what others may do', () => {
  const owner = lstatSync('/').uid;

  it.each([
    [0o600, false, false],
    [0o640, true, false],
    [0o604, true, false],
    [0o660, true, false],
    [0o666, true, true],
    [0o602, false, true],
    [0o4755, true, false],
  ])('with mode %o: read %s, write %s', async (mode, othersRead, othersWrite) => {
    const path = file('mode', '');
    execFileSync('chmod', [mode.toString(8), path]);
    const rights = rightsOf(await lstat(path), process.getuid?.() ?? null);
    expect(rights).toEqual({ mode: mode.toString(8).padStart(4, '0'), othersRead, othersWrite, foreign: false });
  });

  it('is unknown if users have no numeric id, or the file does not exist', async () => {
    expect(rightsOf(await lstat(folder), null)).toBeNull();
    expect(rightsOf(null, owner)).toBeNull();
  });

  it('a file of another user is distinguished from one of the superuser', async () => {
    const stats = await lstat(folder);
    expect(rightsOf(Object.assign(stats, { uid: 1234 }), 1235)?.foreign).toBe(true);
    expect(rightsOf(Object.assign(stats, { uid: 1235 }), 1235)?.foreign).toBe(false);
    expect(rightsOf(Object.assign(stats, { uid: 0 }), 1235)?.foreign).toBe(false);
  });
});
