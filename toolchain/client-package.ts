import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { SOURCES } from './client-bundle.ts';
import { isProfile, PROFILES } from './sources.ts';

/**
 * `npm run package:client [-- --out DIR]`: the client alone as a folder for `npm pack` or `npm publish`, by default in
 * `dist/gw-package`. The one package it needs is that of ripgrep, which brings the program for each platform.
 */
interface Manifest {
  readonly version: string;
  readonly license: string;
  readonly dependencies: Readonly<Record<string, string>>;
}

const RIPGREP = '@vscode/ripgrep';
const USAGE = 'Usage: npm run package:client [-- --out DIR]';

async function main(): Promise<number> {
  const profile = process.env.GATEWAY_DEPLOYMENT_PROFILE || 'on-premise';
  if (!isProfile(profile))
    return fail(`GATEWAY_DEPLOYMENT_PROFILE is "${profile}": set it to ${PROFILES.join(' or ')}.`);
  let out: string;
  try {
    const { values } = parseArgs({ options: { out: { type: 'string', default: 'dist/gw-package' } } });
    out = resolve(values.out);
  } catch (error) {
    return fail(`${(error as Error).message}. ${USAGE}`);
  }
  const child = spawn(process.execPath, ['toolchain/build.ts', '--when-changed'], { stdio: 'inherit' });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) return fail('The build failed; nothing was packaged.');
  await assemble(`dist/${profile}`, out);
  process.stdout.write(`${out}\n`);
  return 0;
}

async function assemble(built: string, out: string): Promise<void> {
  const own = JSON.parse(await readFile('apps/gw/package.json', 'utf8')) as Manifest;
  await rm(out, { recursive: true, force: true });
  await mkdir(out, { recursive: true });
  // This platform's ripgrep is excluded: ripgrep's package installs the user's.
  await cp(`${built}/gw`, join(out, 'gw'), {
    recursive: true,
    filter: (path) => !['rg', 'rg.exe', SOURCES].includes(basename(path)),
  });
  const program = await readFile(`${built}/gw.js`, 'utf8');
  await writeFile(join(out, 'gw.js'), `#!/usr/bin/env node\n${program}`, { mode: 0o755 });
  await copyFile('apps/gw/README.md', join(out, 'README.md'));
  await copyFile('LICENSE', join(out, 'LICENSE'));
  const manifest = {
    name: '@gateway/gw',
    version: own.version,
    description: 'A coding agent for the terminal that works through the gateway, under your organization’s policy',
    license: own.license,
    type: 'module',
    bin: { gw: 'gw.js' },
    files: ['gw.js', 'gw'],
    engines: { node: '>=24' },
    dependencies: { [RIPGREP]: own.dependencies[RIPGREP] },
  };
  await writeFile(join(out, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

function fail(message: string): number {
  process.stderr.write(`${message}\n`);
  return 1;
}

process.exitCode = await main();
