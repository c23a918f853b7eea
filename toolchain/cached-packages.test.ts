import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { installCached, PackagesAbsent } from './cached-packages.ts';

const NAME = `test-${process.pid}`;
const folder = path.resolve('.cache', NAME);

beforeEach(() => {
  vi.stubEnv('npm_config_registry', 'http://127.0.0.1:1/');
  vi.stubEnv('npm_config_fetch_retries', '0');
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

it('reports the missing packages and the cause, where there is no registry', async () => {
  const install = installCached(NAME, { 'no-such-package-here': '1.0.0' });
  await expect(install).rejects.toThrow(PackagesAbsent);
  await expect(install).rejects.toThrow(/^no-such-package-here could not be installed: [\s\S]*ECONNREFUSED/);
});

it('installs nothing twice, but another version again', async () => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'installed.json'), '{"some-package":"1.0.0"}');
  expect(await installCached(NAME, { 'some-package': '1.0.0' })).toBe(folder);
  await expect(installCached(NAME, { 'some-package': '1.0.1' })).rejects.toThrow(PackagesAbsent);
  expect(JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'))).toMatchObject({
    dependencies: { 'some-package': '1.0.1' },
  });
});
