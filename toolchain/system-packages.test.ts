import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const MODULE = new URL('system-packages.mjs', import.meta.url).href;
/** Installs as the root of a Debian, or as another user, and prints each line that is reported. */
const PROGRAM = `const { installSystemPackages } = await import(process.argv[1]);
process.getuid = () => Number(process.argv[2]);
installSystemPackages(console.log);`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'system-packages-'));
  program('sh', '');
  // The shell finds nothing but the programs of this folder.
  rmSync(join(folder, 'sh'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function program(name: string, script: string): void {
  writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, name), 0o755);
}

/** Runs with the programs of the folder alone, and the shell that looks for them. */
function installed(uid: number): string[] {
  program('sh', 'exec /bin/sh "$@"');
  const words = ['--input-type=module', '--eval', PROGRAM, MODULE, String(uid)];
  const { stdout, status, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8', env: { PATH: folder } });
  if (status !== 0) throw new Error(stderr);
  return stdout.split('\n').filter((line) => line !== '');
}
const calls = (): string[] => readFileSync(join(folder, 'calls'), 'utf8').trim().split('\n');
/** An apt-get that writes down its words, and makes some programs, or fails. */
function aptGet(script: string): void {
  program('apt-get', `echo "$*" >> '${folder}/calls'\n${script}`);
}
const makeBwrap = (): string => `printf '#!/bin/sh\\n' > '${folder}/bwrap'; /bin/chmod 755 '${folder}/bwrap'`;

describe('programs that tests need', () => {
  it('are named with their packages where nobody may install them', () => {
    program('bwrap', '');
    aptGet('exit 0');
    const lines = installed(1000);
    expect(lines.some((line) => line.startsWith('bwrap '))).toBe(false);
    expect(lines).toContain('nginx is missing: the tests that need it fail or are left out. Install nginx-light.');
    expect(lines).toContain(
      'podman is missing: the tests that need it fail or are left out. Install podman and netavark and iptables.',
    );
    expect(() => calls()).toThrow('ENOENT');
  });

  it('are installed by root in one call, without those that are there', () => {
    program('nginx', '');
    aptGet(makeBwrap());
    const lines = installed(0);
    expect(lines[0]).toMatch(/^Installing bubblewrap, .* with apt-get …$/);
    const [words = ''] = calls();
    expect(calls()).toHaveLength(1);
    expect(words).toMatch(/^install --yes --no-install-recommends bubblewrap /);
    expect(words).not.toContain('nginx-light');
    expect(lines.some((line) => line.startsWith('bwrap '))).toBe(false);
    expect(lines.some((line) => line.startsWith('haproxy '))).toBe(true);
  });

  it('are tried again after the lists of packages were read, where the first attempt fails', () => {
    aptGet('[ "$1" = update ] || [ -f "$0.updated" ] || { : > "$0.updated"; exit 100; }');
    installed(0);
    expect(calls().map((line) => line.split(' ')[0])).toEqual(['install', 'update', 'install']);
  });

  it('stay missing, and are named, where the lists cannot be read', () => {
    aptGet('exit 100');
    const lines = installed(0);
    expect(calls().map((line) => line.split(' ')[0])).toEqual(['install', 'update']);
    expect(lines).toContain('tini is missing: the tests that need it fail or are left out. Install tini.');
  });

  it('are only named on a system without apt-get, also for root', () => {
    expect(installed(0).every((line) => line.includes(' is missing: '))).toBe(true);
  });
});
