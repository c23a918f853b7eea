import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'install-test-'));
  writeFileSync(join(folder, 'package-lock.json'), '{}');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Installs in the folder with an npm whose registry answers or not. @returns what was said, and the words npm was called with */
function install(answers: boolean) {
  const calls = join(folder, 'calls');
  const npm = join(folder, 'npm.js');
  writeFileSync(
    npm,
    `const fs = require('node:fs');
     const words = process.argv.slice(2);
     fs.appendFileSync(${JSON.stringify(calls)}, words.join(' ') + '\\n');
     if (words[0] === 'view' && ${!answers}) {
       console.error('npm error code ENOTFOUND\\nnpm error request to https://registry.example failed');
       process.exit(1);
     }
     if (words[0] === 'install') {
       fs.mkdirSync('node_modules/node/bin', { recursive: true });
       fs.writeFileSync('node_modules/node/bin/node', '');
     }`,
  );
  const text = `import { install } from ${JSON.stringify(new URL('install.mjs', import.meta.url).href)}; await install(console.log);`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', text], {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], npm_execpath: npm },
  });
  expect(stderr).toBe('');
  return { said: stdout, calls: existsSync(calls) ? readFileSync(calls, 'utf8').trim().split('\n') : [] };
}

it('installs once for a lock file', () => {
  const first = install(true);
  expect(first.said).toMatch(/^Installing the packages .*\n {2}installed in \d+ s\n$/);
  expect(first.calls.at(-1)).toMatch(/^install --no-save /);
  expect(first.calls.at(-1)).not.toContain('--prefer-offline');
  expect(install(true)).toEqual({ said: '', calls: first.calls });
});

it('takes what npm has in its cache where the registry does not answer, says so, and tries nothing again', () => {
  const { said, calls } = install(false);
  expect(said).toContain('the npm registry does not answer (ENOTFOUND)');
  expect(calls.at(-1)).toMatch(/^install .* --prefer-offline --fetch-retries=0$/);
});
