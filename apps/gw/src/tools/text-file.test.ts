import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readTextFile, readTextFileIfAny, writeTextFile } from './text-file.ts';

const MODULE = fileURLToPath(new URL('text-file.ts', import.meta.url));
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gw-text-file-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const at = (name: string): string => join(folder, name);
const refusal = (work: Promise<unknown>): Promise<string> => work.then(String, (error: Error) => error.message);

describe('a file that is read', () => {
  it.each([
    ['with a byte order mark', '\ufeffone\r\n', { text: 'one\r\n', byteOrderMark: true }],
    ['without one', 'one\n', { text: 'one\n', byteOrderMark: false }],
    ['that is empty', '', { text: '', byteOrderMark: false }],
  ])('%s is the same file when its text is written again', async (_, content, read) => {
    writeFileSync(at('same'), content);
    const file = await readTextFile(at('same'), 'same');
    expect(file).toMatchObject(read);
    await writeTextFile(at('same'), 'same', file, file);
    expect(readFileSync(at('same'), 'utf8')).toBe(content);
  });

  it('may be missing: also below a file', async () => {
    writeFileSync(at('plain'), '');
    expect(await readTextFileIfAny(at('plain/below'), 'plain/below')).toBeNull();
  });
});

describe('a file that is written', () => {
  it.each([
    ['in the place of a folder', 'taken', 'it is a directory.'],
    ['below a file', 'plain/below', 'a file is in the place of a directory.'],
  ])('%s is refused', async (_, name, why) => {
    mkdirSync(at('taken'), { recursive: true });
    writeFileSync(at('plain'), '');
    const file = { text: 'x', byteOrderMark: false };
    expect(await refusal(writeTextFile(at(name), name, file, null))).toBe(`${name} cannot be written: ${why}`);
  });

  it('has its old content where the disk does not take all of the new one', async () => {
    const content = 'the old content\n';
    writeFileSync(at('kept'), content);
    const program = `
      const { readTextFile, writeTextFile } = await import(${JSON.stringify(MODULE)});
      const old = await readTextFile('kept', 'kept');
      const file = { text: 'x'.repeat(1_000_000), byteOrderMark: false };
      await writeTextFile('kept', 'kept', file, old).catch((error) => process.stdout.write(error.message));`;
    // Like a full disk, but in every sandbox: no file of this process may have more than some blocks.
    const limited = ['-c', 'ulimit -f 8; exec "$0" --input-type=module --eval "$1"', process.execPath, program];
    const { stdout, stderr } = spawnSync('sh', limited, { cwd: folder, encoding: 'utf8' });
    expect(stdout, stderr).toBe('kept cannot be written: it would be too large for this system.');
    expect(readFileSync(at('kept'), 'utf8')).toBe(content);
  });
});
