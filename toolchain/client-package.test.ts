import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'client-package-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('packs the client so that npm installs it and it runs', () => {
  const out = join(folder, 'package');
  execFileSync(process.execPath, ['toolchain/client-package.ts', '--out', out], { stdio: 'pipe' });
  const packed = execFileSync('npm', ['pack', '--json', '--pack-destination', folder], { cwd: out, encoding: 'utf8' });
  const [{ filename, files }] = JSON.parse(packed) as [{ filename: string; files: { path: string }[] }];
  const names = files.map(({ path }) => path);
  expect(names).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'gw.js', 'package.json']));
  expect(names.filter((name) => /(^|\/)rg(\.exe)?$|\.ts$|\.map$/.test(name))).toEqual([]);
  const manifest = JSON.parse(readFileSync(join(out, 'package.json'), 'utf8')) as { dependencies: object };
  expect(Object.keys(manifest.dependencies)).toEqual(['@vscode/ripgrep']);

  const home = join(folder, 'home');
  const project = join(folder, 'project');
  for (const each of [home, project]) mkdirSync(each);
  writeFileSync(join(home, 'package.json'), '{"private":true}');
  const words = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', join(folder, filename)];
  execFileSync('npm', words, { cwd: home, stdio: 'pipe' });
  writeFileSync(join(project, 'one.ts'), "import './two.ts';\n");
  writeFileSync(join(project, 'two.ts'), 'export const two = 2;\n');
  const gw = (...line: readonly string[]) =>
    spawnSync(join(home, 'node_modules/.bin/gw'), line, {
      cwd: project,
      encoding: 'utf8',
      env: { PATH: process.env.PATH, HOME: home },
    });
  const { version } = JSON.parse(readFileSync('apps/gw/package.json', 'utf8')) as { version: string };
  expect(gw('--version')).toMatchObject({ status: 0, stdout: `${version}\n`, stderr: '' });
  expect(gw('--help').stdout).toContain('Usage: gw [options] [prompt]');
  expect(gw('map', '--level', 'file')).toMatchObject({ status: 0, stdout: expect.stringContaining('-->') as string });
}, 180_000);

it.each([
  [['--into', 'x'], {}, /Unknown option '--into'.*Usage: npm run package:client/],
  [
    [],
    { GATEWAY_DEPLOYMENT_PROFILE: 'moon' },
    /GATEWAY_DEPLOYMENT_PROFILE is "moon": set it to on-premise or serverless\./,
  ],
])('refuses %j with %j', (words, variables, message) => {
  const { status, stderr } = spawnSync(process.execPath, ['toolchain/client-package.ts', ...words], {
    encoding: 'utf8',
    env: { ...process.env, ...variables },
  });
  expect([status, message.test(stderr)]).toEqual([1, true]);
});
