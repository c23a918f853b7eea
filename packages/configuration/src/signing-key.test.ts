import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { openSigningKey } from './signing-key.ts';

const folder = mkdtempSync(join(tmpdir(), 'signing-key-'));
afterAll(() => rmSync(folder, { recursive: true }));
const signerOf = (file: string) => {
  const opened = openSigningKey(file);
  if ('fault' in opened) throw new Error(opened.fault);
  return opened.signer;
};

it('a key is made at the first start, for its owner alone, and found at the next', () => {
  const file = join(folder, 'deep', 'key.pem');
  const made = signerOf(file);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file, 'utf8')).toMatch(/^-----BEGIN PRIVATE KEY-----/);
  expect(signerOf(file).keyId).toBe(made.keyId);
});

it('a file that holds no key is a fault that names it, and is left as it is', () => {
  const file = join(folder, 'other.pem');
  writeFileSync(file, 'something else');
  const opened = openSigningKey(file);
  expect(opened).toEqual({ fault: expect.stringMatching(/^GATEWAY_SIGNING_KEY_FILE: .*other\.pem .*\.$/) });
  expect(readFileSync(file, 'utf8')).toBe('something else');
});

it('a place where no file can be made is a fault with its reason', () => {
  writeFileSync(join(folder, 'file'), '');
  expect(openSigningKey(join(folder, 'file', 'key.pem'))).toEqual({
    fault: expect.stringMatching(/can be neither read nor made \((ENOTDIR|EEXIST)\)\.$/),
  });
});
