import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { licenseKeyDefinition } from './license-key.ts';

const SOURCE = fileURLToPath(new URL('../packages/access/src/vendor-key.ts', import.meta.url));
let folder: string;
const file = (name: string, text: string | Buffer) => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'license-key-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The module with the trusted key, as in an artifact. */
async function built(publicKeyFile: string | undefined): Promise<string> {
  const define = await licenseKeyDefinition(publicKeyFile);
  const { outputFiles } = await build({ entryPoints: [SOURCE], bundle: true, write: false, format: 'esm', define });
  return outputFiles[0]?.text ?? '';
}

it('a build without a key trusts development licenses, and is marked as such', async () => {
  expect(await built(undefined)).toContain('MCowBQYDK2VwAyEAtC93TwBRXm9cAmVun918CFrIFFS7U3fOmuzjK1ckF1M=');
});

it('a build with a key contains only that key', async () => {
  const { publicKey } = generateKeyPairSync('ed25519');
  const pem = publicKey.export({ format: 'pem', type: 'spki' }).toString();
  const text = await built(file('vendor.pem', pem));
  expect(text).toContain(pem.split('\n')[1]);
  expect(text).not.toContain('MCowBQYDK2VwAyEAtC93TwBRXm9cAmVun918CFrIFFS7U3fOmuzjK1ckF1M=');
  expect(text).toMatch(/TRUSTS_DEVELOPMENT_LICENSES = false/);
});

it('a file without such a key fails the build', async () => {
  const { privateKey } = generateKeyPairSync('ed25519');
  const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey;
  const files = [
    file('private.pem', privateKey.export({ format: 'pem', type: 'pkcs8' })),
    file('other.pem', other.export({ format: 'pem', type: 'spki' })),
    file('text.pem', 'hello'),
  ];
  for (const name of files) await expect(licenseKeyDefinition(name)).rejects.toThrow('contains no Ed25519 public key');
  await expect(licenseKeyDefinition('/no/such')).rejects.toThrow('cannot be read (ENOENT)');
});
