import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSigner, generateSigningKey, makeCheckpoint } from '@gateway/ledger';
import { afterAll, describe, expect, it } from 'vitest';
import { CommandFailed } from '../context/context.ts';
import { checkpointOf, keysIn, noteOf } from './trust.ts';

const folder = mkdtempSync(join(tmpdir(), 'trust-'));
afterAll(() => rmSync(folder, { recursive: true }));
const signers = [createSigner(generateSigningKey()), createSigner(generateSigningKey())] as const;
const [one, other] = signers;
const NOTE = makeCheckpoint(one, '2026-01-02T03:04:05.678Z', [
  { chain: 'authorization_decisions', sequence: 7n, digest: '0a'.repeat(32) },
]);

function file(name: string, content: string | Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

describe('the keys to trust', () => {
  it('are all of all files, each once, with words around them', async () => {
    const both = file('both.pem', `# first\n${one.publicKey}\n# second\n${other.publicKey}\n`);
    const again = file('again.pem', one.publicKey.replaceAll('\n', '\r\n'));
    const keys = await keysIn([both, again]);
    expect([...keys.keys()].sort()).toEqual([one.keyId, other.keyId].sort());
  });

  it('are none without files', async () => {
    expect((await keysIn([])).size).toBe(0);
  });

  it.each([
    ['a text without a key', 'no key'],
    ['an empty file', ''],
    ['a private key', generateSigningKey()],
  ])('are not in %s, which is named', async (_, content) => {
    const path = file('bad.pem', content);
    const failure = await keysIn([path]).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(CommandFailed);
    expect(String(failure)).toContain(path);
    expect(String(failure)).not.toContain('BEGIN PRIVATE KEY');
  });

  it('are not in a file that is missing, with the code of the system', async () => {
    const path = join(folder, 'missing.pem');
    await expect(keysIn([path])).rejects.toThrow(`${path} cannot be read (ENOENT).`);
    await expect(noteOf(path)).rejects.toThrow(`${path} cannot be read (ENOENT).`);
  });
});

describe('a checkpoint from a file', () => {
  it.each([
    ['as it was printed', NOTE],
    ['with line ends of Windows', NOTE.replaceAll('\n', '\r\n')],
    ['with a byte order mark', `\ufeff${NOTE}`],
    ['with blank lines around it', `\n${NOTE}\n\n`],
    ['in the output of --json', JSON.stringify({ checkpoint: NOTE })],
    ['in the output of --json with a byte order mark', `\ufeff${JSON.stringify({ checkpoint: NOTE })}\r\n`],
  ])('is read %s', async (_, text) => {
    const keys = await keysIn([file('keys.pem', one.publicKey)]);
    const note = await noteOf(file('note', text));
    expect(checkpointOf(note, keys)).toMatchObject({ keyId: one.keyId, positions: [{ sequence: 7n }] });
  });

  it.each([
    '',
    'text',
    '{',
    '{}',
    '{"checkpoint":7}',
    '{"checkpoint":null}',
    '[]',
    NOTE.replace('7', '8'),
    NOTE.slice(0, -3),
  ])('is refused with its file: %j', async (text) => {
    const path = file('bad-note', text);
    const keys = await keysIn([file('keys.pem', one.publicKey)]);
    const note = await noteOf(path);
    expect(() => checkpointOf(note, keys)).toThrow(CommandFailed);
    expect(() => checkpointOf(note, keys)).toThrow(path);
  });

  it('is refused if its key is not trusted', async () => {
    const keys = await keysIn([file('other.pem', other.publicKey)]);
    const note = await noteOf(file('note', NOTE));
    expect(() => checkpointOf(note, keys)).toThrow(one.keyId);
  });

  it('is none where none is given', async () => {
    expect(checkpointOf(await noteOf(undefined), new Map())).toBeNull();
  });
});
