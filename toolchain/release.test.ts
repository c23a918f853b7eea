import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readSealed, type Sealed, verifyBundle } from '../apps/gw/src/cli/commands/verify-run.ts';
import { createSigner, generateSigningKey, readVerificationKey } from '../packages/ledger/src/index.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'release-test-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const release = (...words: readonly string[]) =>
  spawnSync(process.execPath, ['toolchain/release.ts', ...words], { encoding: 'utf8' });

it('makes the same bundle twice, and gw accepts it', async () => {
  const [privateKey, key] = [generateSigningKey(), join(folder, 'key.pem')];
  writeFileSync(key, privateKey);
  const [one, other] = ['one', 'other'].map((name) => join(folder, name)) as [string, string];
  for (const out of [one, other]) {
    const { status, stderr } = release('--out', out, '--key', key);
    expect([status, stderr.includes('Error')]).toEqual([0, false]);
  }
  execFileSync('diff', ['-r', one, other]);
  const sealed = await readSealed(one);
  const trusted = readVerificationKey(createSigner(privateKey).publicKey);
  const verified = await verifyBundle(one, sealed as Sealed, trusted, '0.0.1');
  expect(verified).toMatchObject({ faults: [], files: expect.any(Number) as number });
  execFileSync('sha256sum', ['--quiet', '--check', 'SHA256SUMS'], { cwd: one });
  const { name } = JSON.parse(readFileSync(join(one, 'release.json'), 'utf8')) as { name: string };
  expect(name).toBe('gateway-development'); // built without a vendor's key
  const bom = JSON.parse(readFileSync(join(one, 'sbom.cdx.json'), 'utf8')) as { components: { name: string }[] };
  const names = bom.components.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['react', 'zod', 'openid-client']));
  for (const tool of ['vitest', 'happy-dom', '@testing-library/react']) expect(names).not.toContain(tool);
});

it.each([
  [[], /--out and --key are both needed\. Usage: npm run release/],
  [['--out', 'x', '--key', '/nowhere'], /--key \/nowhere cannot be read \(ENOENT\)/],
  [['--out', 'x', '--key', 'package.json'], /--key package\.json is not a readable private key/],
  [['--out', 'toolchain', '--key', 'x'], /--out .*toolchain is there already/],
  [['--what'], /Unknown option '--what'/],
])('refuses %j in one line', (words, says) => {
  const { status, stdout, stderr } = release(...words);
  expect([status, stdout, stderr.trim().split('\n')]).toEqual([1, '', [expect.stringMatching(says)]]);
});
