import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { fakeNpm } from '../testing/fake-npm.ts';

/** Installs a package as npm would: with the programs of all peers but one, and not at all for another. */
const INSTALL = `
const { appendFileSync, mkdirSync, writeFileSync } = require('node:fs');
const path = require('node:path');
const wanted = process.argv.at(-1);
const name = wanted.slice(0, wanted.lastIndexOf('@'));
appendFileSync('asked', process.argv.slice(2).join(' ') + '\\n');
if (name === '@openai/codex') {
  process.stderr.write('npm error ' + 'x'.repeat(1000) + ' 404 Not Found');
  process.exit(1);
}
const programs = { '@continuedev/cli': 'dist/cn.js', '@google/gemini-cli': 'bundle/gemini.js' };
const file = path.join('node_modules', name, programs[name] ?? 'other.js');
mkdirSync(path.dirname(file), { recursive: true });
writeFileSync(file, '');
`;
const SCRIPT = `
const { installedPeers } = await import(${JSON.stringify(new URL('tools.ts', import.meta.url).href)});
console.log(JSON.stringify(installedPeers()));
`;

interface Installed {
  readonly tools: readonly { readonly name: string; readonly line: readonly string[] }[];
  readonly absent: readonly string[];
}

let npm: ReturnType<typeof fakeNpm>;
afterEach(() => npm.remove());
function install(): Installed {
  const args = ['--input-type=module', '--eval', SCRIPT];
  const env = { ...process.env, PATH: npm.PATH };
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: npm.work, env, encoding: 'utf8' });
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout) as Installed;
}
const asked = (): string[] => readFileSync(join(npm.work, '.cache/bench-client/asked'), 'utf8').trim().split('\n');

describe('the agents that gw is measured beside', () => {
  it('are installed on first use, each in its pinned version, and without their scripts', () => {
    npm = fakeNpm(INSTALL);
    const { tools } = install();
    expect(tools.map(({ name }) => name)).toEqual(['@continuedev/cli', '@google/gemini-cli']);
    expect(asked()).toHaveLength(4);
    for (const line of asked()) expect(line).toMatch(/^install --save-exact --ignore-scripts .* \S+@\d+\.\d+\.\d+$/);
  });

  it('run with the Node.js that runs gw where they are JavaScript', () => {
    npm = fakeNpm(INSTALL);
    const [first] = install().tools;
    expect(first?.line[0]).toBe(process.execPath);
    expect(first?.line[1]).toBe(join(npm.work, '.cache/bench-client/node_modules/@continuedev/cli/dist/cn.js'));
  });

  it('are left out, with the reason, where one has no program for this system or cannot be installed', () => {
    npm = fakeNpm(INSTALL);
    const [platform = '', fault = ''] = install().absent;
    expect(platform).toBe(`opencode-ai: it brings no program for ${process.platform}-${process.arch}`);
    expect(fault).toMatch(/^@openai\/codex: it could not be installed: x+ 404 Not Found$/);
    expect(fault.length).toBeLessThan(400);
  });

  it('are not installed again', () => {
    npm = fakeNpm(INSTALL);
    install();
    install();
    const again = asked().slice(4);
    expect(again).toHaveLength(1);
    expect(again[0]).toContain('@openai/codex@');
  });
});
