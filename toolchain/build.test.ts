import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';

function build(words: readonly string[], variables: Readonly<Record<string, string>> = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['toolchain/build.ts', ...words], {
    encoding: 'utf8',
    env: { ...process.env, ...variables },
  });
  return { status, stdout, lines: stderr.trim().split('\n') };
}

it.each([
  [
    [],
    { GATEWAY_DEPLOYMENT_PROFILE: 'hosted' },
    'GATEWAY_DEPLOYMENT_PROFILE is "hosted": set it to on-premise or serverless, or leave it out for on-premise.',
  ],
  [
    [],
    { GATEWAY_LICENSE_PUBLIC_KEY_FILE: '/nowhere/vendor.pem' },
    'GATEWAY_LICENSE_PUBLIC_KEY_FILE: /nowhere/vendor.pem cannot be read (ENOENT).',
  ],
  [
    ['--when-changed'],
    { GATEWAY_LICENSE_PUBLIC_KEY_FILE: 'package.json' },
    'GATEWAY_LICENSE_PUBLIC_KEY_FILE: package.json contains no Ed25519 public key (PEM).',
  ],
  [['--into'], {}, '--into needs the folder to build into: node toolchain/build.ts --into FOLDER'],
  [['--into', ''], {}, '--into needs the folder to build into: node toolchain/build.ts --into FOLDER'],
  [['--into', '--when-changed'], {}, '--into needs the folder to build into: node toolchain/build.ts --into FOLDER'],
])('a build with %j and %j is refused in one line, before anything is built', (words, variables, line) => {
  expect(build(words, variables)).toEqual({ status: 1, stdout: '', lines: [line] });
  expect(existsSync('undefined')).toBe(false);
});
