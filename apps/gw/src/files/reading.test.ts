import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FIXES, LONGEST_TEXT, readText, unreadBy } from './reading.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gw-reading-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

describe('a text', () => {
  it.each([
    ['line ends of every kind', 'one\ntwo\r\nthree\r'],
    ['characters of every length', 'é € 𝄞 👩‍👩‍👧'],
    ['nothing', ''],
  ])('is read as it is: %s', async (_, text) => {
    expect(await readText(file('text', text))).toEqual({ state: 'read', text, bytes: Buffer.byteLength(text) });
  });

  it('is read without its byte order mark', async () => {
    expect(await readText(file('marked', '\ufeffgateway: x'))).toEqual({
      state: 'read',
      text: 'gateway: x',
      bytes: 13,
    });
  });

  it('is read behind a link', async () => {
    symlinkSync(file('target', 'behind'), join(folder, 'link'));
    expect(await readText(join(folder, 'link'))).toMatchObject({ state: 'read', text: 'behind' });
  });

  it('of the longest length is read, and one of a byte more is not', async () => {
    expect(await readText(file('longest', 'x'.repeat(LONGEST_TEXT)))).toMatchObject({ state: 'read' });
    const longer = await readText(file('longer', 'x'.repeat(LONGEST_TEXT + 1)));
    expect(longer).toEqual({ state: 'too large', bytes: LONGEST_TEXT + 1 });
  });

  it.runIf(existsSync('/proc/self/status'))('whose size the system reports as 0 is read whole', async () => {
    const read = await readText('/proc/self/status');
    expect(read).toMatchObject({ state: 'read', text: expect.stringMatching(/^Name:[\s\S]*\n$/) });
    expect(read.bytes).toBeGreaterThan(100);
  });
});

describe('what is no text', () => {
  it.each([
    ['in UTF-16', Buffer.from('gateway', 'utf16le')],
    ['in Latin-1', Buffer.from('é', 'latin1')],
    ['cut within a character', Buffer.from('€').subarray(0, 2)],
    ['with a zero byte', Buffer.from('a\0b')],
  ])('is named so: %s', async (_, bytes) => {
    expect(await readText(file('no-text', bytes))).toEqual({ state: 'not UTF-8', bytes: bytes.length });
  });

  it('is a folder', async () => {
    mkdirSync(join(folder, 'folder'));
    expect(await readText(join(folder, 'folder'))).toEqual({ state: 'directory', bytes: null });
  });

  it('is absent: also below a file, and under a name that is too long', async () => {
    for (const name of ['nothing', 'text/below', 'n'.repeat(300)]) {
      expect(await readText(join(folder, name))).toEqual({ state: 'absent', bytes: null });
    }
  });

  it('is a link to itself', async () => {
    symlinkSync(join(folder, 'loop'), join(folder, 'loop'));
    expect(await readText(join(folder, 'loop'))).toEqual({ state: 'link loop', bytes: null });
  });

  it('is a pipe that nobody writes to: it does not block', async () => {
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    expect(await readText(join(folder, 'pipe'))).toEqual({ state: 'not a file', bytes: null });
  });
});

it.each([
  ['EACCES', 'no permission'],
  ['EPERM', 'no permission'],
  ['EISDIR', 'directory'],
  ['EIO', 'unreadable'],
] as const)('a fault %s of the system is “%s”, and has a way to fix it', (code, state) => {
  expect(unreadBy(Object.assign(new Error(code), { code }))).toBe(state);
  expect(FIXES[state]).toMatch(/\.$/);
});
