import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** Below the packages, where `vitest` is found. */
const CACHE = join(ROOT, '.cache');
mkdirSync(CACHE, { recursive: true });
const folder = mkdtempSync(join(CACHE, 'skipped-tests-'));
afterAll(() => rmSync(folder, { recursive: true }));
writeFileSync(
  join(folder, 'a.test.mjs'),
  `import { expect, it } from 'vitest';
it('runs', () => expect(1).toBe(1));
it.runIf(false)('lacks a program', () => {});
it('lacks a registry', (test) => test.skip('the registry cannot be reached'));`,
);
writeFileSync(
  join(folder, 'vitest.config.mjs'),
  `import { SkippedTests } from ${JSON.stringify(join(ROOT, 'toolchain/skipped-tests.ts'))};
export default { test: { include: ['*.test.mjs'], reporters: ['default', new SkippedTests()] } };`,
);

function run(ci: string | undefined, ...args: readonly string[]): { code: number | null; said: string } {
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
  const env = { ...process.env, CI: ci, VITEST: undefined };
  const words = [vitest, 'run', '--root', folder, ...args];
  const { status, stderr } = spawnSync(process.execPath, words, { env, encoding: 'utf8' });
  return { code: status, said: stderr };
}

it('names tests that could not run', () => {
  const { code, said } = run(undefined);
  expect(code).toBe(0);
  expect(said).toContain('1 test did not run: something is missing on this machine.');
  expect(said).toContain('  a.test.mjs > lacks a program\n');
  expect(said).not.toContain('lacks a registry');
});

it('fails for them where CI is "true"', () => {
  const { code, said } = run('true');
  expect(code).toBe(1);
  expect(said).toContain('With CI=true, this is a failure.');
});

it('says nothing of tests that were not asked for', () => {
  expect(run('true', '-t', 'runs')).toMatchObject({ code: 0, said: expect.not.stringContaining('did not run') });
});
