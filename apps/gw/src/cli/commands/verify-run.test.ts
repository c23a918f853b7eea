import { createHash } from 'node:crypto';
import { appendFileSync, mkdirSync, readFileSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createSigner, generateSigningKey } from '@gateway/ledger';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openWorld, type World } from '../../testing/world.ts';
import { compareVersions, isVersion } from './options.ts';

const signer = createSigner(generateSigningKey());
const FILES: Readonly<Record<string, string>> = { 'on-premise/gw.js': 'program', 'sbom.cdx.json': '{}' };

let world: World;
let bundle: string;
beforeEach(() => {
  world = openWorld();
  bundle = join(world.project, 'bundle');
  world.write('work/shop/key.pem', signer.publicKey);
  world.write('work/shop/other.pem', createSigner(generateSigningKey()).publicKey);
  for (const [path, content] of Object.entries(FILES)) {
    mkdirSync(dirname(join(bundle, path)), { recursive: true });
    writeFileSync(join(bundle, path), content);
  }
  sign({});
});
afterEach(() => world.close());

function sign(change: object): void {
  const files = Object.entries(FILES).map(([path, content]) => ({
    path,
    size: content.length,
    sha256: createHash('sha256').update(content).digest('hex'),
  }));
  const text = JSON.stringify({ format: 'gateway-release/1', name: 'gateway', version: '1.2.0', files, ...change });
  writeFileSync(join(bundle, 'release.json'), text);
  writeFileSync(join(bundle, 'release.json.sig'), signer.sign(Buffer.from(text)));
}
const verify = (...words: readonly string[]) => world.gw(['verify', 'bundle', '--key', 'key.pem', ...words]);

it('accepts a bundle as it was signed', async () => {
  const { code, out, err } = await verify('--current', '1.2.0');
  expect([code, err]).toEqual([0, '']);
  expect(out).toMatch(/^bundle matches its signature: version 1\.2\.0, 2 files, digest [0-9a-f]{64}\n$/);
  expect(JSON.parse((await verify('--json')).out)).toMatchObject({ ok: true, version: '1.2.0', files: 2, faults: [] });
});

it.each<[string, () => void, RegExp]>([
  ['changed', () => writeFileSync(join(bundle, 'on-premise/gw.js'), 'pr0gram'), /changed: on-premise\/gw\.js: /],
  ['longer', () => appendFileSync(join(bundle, 'on-premise/gw.js'), 'x'), /changed: on-premise\/gw\.js: /],
  ['missing', () => unlinkSync(join(bundle, 'sbom.cdx.json')), /missing: sbom\.cdx\.json: /],
  ['extra', () => writeFileSync(join(bundle, 'on-premise/more.js'), ''), /extra: on-premise\/more\.js: /],
  [
    'a link',
    () => {
      writeFileSync(join(world.project, 'program'), 'program');
      unlinkSync(join(bundle, 'on-premise/gw.js'));
      symlinkSync(join(world.project, 'program'), join(bundle, 'on-premise/gw.js'));
    },
    /changed: on-premise\/gw\.js: It is not a plain file/,
  ],
  [
    'a manifest that was changed',
    () => appendFileSync(join(bundle, 'release.json'), ' '),
    /signature: release\.json: /,
  ],
  ['a signature cut off', () => writeFileSync(join(bundle, 'release.json.sig'), 'x'), /signature: release\.json: /],
  ['no signature', () => rmSync(join(bundle, 'release.json.sig')), /is not a release bundle/],
  ['signed for another format', () => sign({ format: 'gateway-release/2' }), /cannot read the signed manifest/],
  ['a path that leads out', () => sign({ files: [{ path: '../x', size: 0, sha256: '0'.repeat(64) }] }), /cannot read/],
])('refuses a file that is %s', async (_, change, says) => {
  change();
  const { code, out, err } = await verify();
  expect([code, out]).toEqual([1, '']);
  expect(err).toMatch(says);
});

it('names every fault', async () => {
  for (const path of Object.keys(FILES)) appendFileSync(join(bundle, path), 'x');
  const { code, out, err } = await verify('--json', '--current', '99.0.0');
  expect(code).toBe(1);
  expect((JSON.parse(out) as { faults: { fault: string }[] }).faults.map(({ fault }) => fault)).toEqual([
    'rollback',
    'changed',
    'changed',
  ]);
  expect(err).toMatch(/rollback: release\.json: The bundle has version 1\.2\.0, which is older than 99\.0\.0/);
});

it('refuses the key of somebody else', async () => {
  const { code, err } = await world.gw(['verify', 'bundle', '--key', 'other.pem']);
  expect(code).toBe(1);
  expect(err).toMatch(/another key signed this bundle/);
});

it.each([
  [['verify'], 2, /gw verify needs <bundle>/],
  [['verify', 'nowhere'], 1, /nowhere is not a release bundle/],
  [['verify', 'bundle'], 2, /--key is missing/],
  [['verify', 'bundle', '--key', 'nowhere.pem'], 2, /--key nowhere\.pem cannot be read \(absent\)/],
  [['verify', 'bundle', '--key', 'bundle/release.json'], 2, /is not a readable public key: expected Ed25519, PEM/],
  [['verify', 'bundle', '--key', 'key.pem', '--current', 'latest'], 2, /--current must be a version such as 1\.2\.0/],
  // client-23
])('%j ends with %i', async (words, exit, says) => {
  const { code, err } = await world.gw(words);
  expect(code).toBe(exit);
  expect(err).toMatch(says);
});

describe('versions', () => {
  it('are ordered as Semantic Versioning says', () => {
    const order = [
      '0.9.9',
      '1.0.0-alpha',
      '1.0.0-alpha.1',
      '1.0.0-alpha.beta',
      '1.0.0-beta.2',
      '1.0.0-beta.11',
      '1.0.0-rc.1',
      '1.0.0',
      '1.0.10',
      '1.2.0',
      '10.0.0',
    ];
    for (const [at, one] of order.entries()) {
      for (const [to, other] of order.entries())
        expect(Math.sign(compareVersions(one, other))).toBe(Math.sign(at - to));
    }
    expect(compareVersions('1.0.0+build.1', '1.0.0+build.2')).toBe(0);
    for (const text of ['1.0', 'v1.0.0', '01.0.0', '1.0.0-', '1.0.0-01', '']) expect(isVersion(text)).toBe(false);
  });

  it('order is total', () => {
    const identifier = fc.oneof(fc.nat(20).map(String), fc.stringMatching(/^[a-z][a-z0-9-]{0,3}$/));
    const version = fc
      .tuple(fc.nat(3), fc.nat(3), fc.nat(3), fc.array(identifier, { maxLength: 3 }))
      .map(([a, b, c, pre]) => `${a}.${b}.${c}${pre.length === 0 ? '' : `-${pre.join('.')}`}`);
    fc.assert(
      fc.property(version, version, version, (one, other, third) => {
        const [left, right] = [Math.sign(compareVersions(one, other)), Math.sign(compareVersions(other, third))];
        expect(Math.sign(compareVersions(other, one))).toBe(-left === 0 ? 0 : -left);
        const isChain = left === right && left !== 0;
        expect(isChain ? Math.sign(compareVersions(one, third)) : left).toBe(left);
      }),
    );
  });
});

it('does not change the bundle', async () => {
  const before = readFileSync(join(bundle, 'release.json'), 'utf8');
  await verify();
  expect(readFileSync(join(bundle, 'release.json'), 'utf8')).toBe(before);
});
