import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

const INSTALL = `import { install } from ${JSON.stringify(new URL('install.mjs', import.meta.url).href)}; await install(console.log);`;

/** A lock file with a package of every system and one of another system. */
const lock = (version: string): string =>
  JSON.stringify({
    packages: {
      '': { name: 'here' },
      'node_modules/node': { version },
      'node_modules/of-another-system': { version, optional: true },
    },
  });
/** What npm writes when it is done. */
const INSTALLED = `
  fs.mkdirSync('node_modules/node/bin', { recursive: true });
  fs.writeFileSync('node_modules/node/bin/node', '');
  const { packages } = JSON.parse(fs.readFileSync('package-lock.json', 'utf8'));
  fs.writeFileSync('node_modules/.package-lock.json', JSON.stringify({ packages: { 'node_modules/node': packages['node_modules/node'] } }));`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'install-test-'));
  writeFileSync(join(folder, 'package-lock.json'), lock('1.0.0'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Installs in the folder with an npm whose registry answers or not. @returns the output, and the arguments of npm */
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
     if (words[0] === 'ci') {
       fs.rmSync('node_modules', { recursive: true, force: true });
       ${INSTALLED}
     }`,
  );
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', INSTALL], {
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
  expect(first.calls.at(-1)).toMatch(/^ci --no-audit /);
  expect(first.calls.at(-1)).not.toContain('--prefer-offline');
  expect(install(true)).toEqual({ said: '', calls: first.calls });
});

it('installs again where a package of the lock file has another version', () => {
  const first = install(true);
  writeFileSync(join(folder, 'package-lock.json'), lock('1.0.1'));
  expect(install(true).calls).toHaveLength(2 * first.calls.length);
  expect(install(true).calls).toHaveLength(2 * first.calls.length);
});

it('installs nothing where npm ci was run by hand, also without the packages of other systems', () => {
  mkdirSync(join(folder, 'node_modules/node/bin'), { recursive: true });
  writeFileSync(join(folder, 'node_modules/node/bin/node'), '');
  writeFileSync(
    join(folder, 'node_modules/.package-lock.json'),
    '{"packages":{"node_modules/node":{"version":"1.0.0"}}}',
  );
  expect(install(true)).toEqual({ said: '', calls: [] });
});

/** Starts an install with the npm of the folder. */
const start = () =>
  spawn(process.execPath, ['--input-type=module', '-e', INSTALL], {
    cwd: folder,
    env: { PATH: process.env['PATH'], npm_execpath: join(folder, 'npm.js') },
  });

/** An install under way whose npm ends only when a file says so, once that npm runs. */
async function installing() {
  const npm = join(folder, 'npm.js');
  writeFileSync(
    npm,
    `const fs = require('node:fs');
     if (process.argv[2] === 'view') process.exit(0);
     for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => {}); // npm takes its time
     fs.mkdirSync('node_modules/half', { recursive: true });
     fs.writeFileSync('npm-runs', String(process.pid));
     setInterval(() => {
       if (!fs.existsSync('npm-may-end')) return;
       ${INSTALLED}
       process.exit(0);
     }, 50);`,
  );
  const child = start();
  const gone = once(child, 'close');
  const own = await vi.waitUntil(
    () => existsSync(join(folder, 'npm-runs')) && Number(readFileSync(join(folder, 'npm-runs'), 'utf8')),
    {
      timeout: 20_000,
    },
  );
  return { child, gone, npm: own };
}

it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  'ends its npm when it is ended by %s, and the next one begins again',
  async (signal) => {
    const { child, gone, npm } = await installing();
    child.kill(signal);
    expect(await gone).toEqual([null, signal]);
    expect(() => process.kill(npm, 0)).toThrow('ESRCH');
    expect(existsSync(join(folder, '.gateway-installing'))).toBe(false);
    expect(install(true).said).toMatch(/^Installing the packages .*\n {2}installed in \d+ s\n$/);
    expect(readdirSync(join(folder, 'node_modules')).sort()).toEqual(['.package-lock.json', 'node']);
  },
);

it('waits for another start that installs, and installs nothing where that one has done it', async () => {
  const { child, gone } = await installing();
  const second = start();
  const said = createInterface({ input: second.stdout })[Symbol.asyncIterator]();
  expect((await said.next()).value).toBe(
    `Another start installs the packages (process ${child.pid}); waiting for its end …`,
  );
  writeFileSync(join(folder, 'npm-may-end'), '');
  await gone;
  expect(await said.next()).toEqual({ value: undefined, done: true });
});

it('takes over from a start that was killed', async () => {
  const { child, gone, npm } = await installing();
  child.kill('SIGKILL');
  await gone;
  process.kill(npm, 'SIGKILL');
  expect(existsSync(join(folder, '.gateway-installing'))).toBe(true);
  expect(install(true).said).toMatch(/^Installing the packages .*\n {2}installed in \d+ s\n$/);
  expect(existsSync(join(folder, '.gateway-installing'))).toBe(false);
});

it('leaves no lock where npm fails, and reports what npm said', () => {
  const npm = join(folder, 'npm.js');
  writeFileSync(npm, `if (process.argv[2] === 'ci') { console.error('npm error code EUSAGE'); process.exit(1); }`);
  const { stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', INSTALL], {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], npm_execpath: npm },
  });
  expect(stderr).toContain('npm error code EUSAGE\nThe packages could not be installed: npm ended with 1.');
  expect(existsSync(join(folder, '.gateway-installing'))).toBe(false);
});

it('does not wait for a process that got the number of one that installed', () => {
  writeFileSync(join(folder, '.gateway-installing'), '1');
  expect(install(true).said).toMatch(/^Installing the packages/);
});

it('uses npm’s cache where the registry does not answer, reports this, and does not retry', () => {
  const { said, calls } = install(false);
  expect(said).toContain('the npm registry does not answer (ENOTFOUND)');
  expect(calls.at(-1)).toMatch(/^ci .* --prefer-offline --fetch-retries=0$/);
});
