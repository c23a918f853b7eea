import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { folderCycles } from './folder-cycles.ts';

// The rules of .dependency-cruiser.json, all planted in one small house.
const ROOT = fileURLToPath(new URL('..', import.meta.url));
let house: string;

function openHouse(): void {
  // Inside the checkout, for the tool finds its parser from where it runs.
  house = mkdtempSync(join(ROOT, 'node_modules/.dependency-rules-'));
}
const closeHouse = (): void => rmSync(house, { recursive: true, force: true });

function write(file: string, text: string): void {
  mkdirSync(dirname(join(house, file)), { recursive: true });
  writeFileSync(join(house, file), text);
}

function imports(from: string, to: string): void {
  write(to, 'export const thing = 1;\n');
  const path = relative(dirname(from), to);
  write(from, `export { thing } from '${path.startsWith('.') ? path : `./${path}`}';\n`);
}

function violations(): { readonly status: number | null; readonly output: string } {
  const cli = join(ROOT, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
  const config = join(ROOT, '.dependency-cruiser.json');
  const words = [cli, '--config', config, '--output-type', 'err', 'packages', 'apps'];
  mkdirSync(join(house, 'packages'), { recursive: true });
  mkdirSync(join(house, 'apps'), { recursive: true });
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { cwd: house, encoding: 'utf8' });
  return { status, output: `${stdout}${stderr}` };
}

/** A rule, the importing file and the imported one. */
const FORBIDDEN: readonly (readonly [rule: string, from: string, to: string])[] = [
  ['contract-json-ledger-and-secrets-import-json-only', 'packages/ledger/src/a.ts', 'packages/contract/src/b.ts'],
  ['contract-json-ledger-and-secrets-import-json-only', 'packages/contract/src/a.ts', 'apps/gateway/src/b.ts'],
  ['access-database-documentation-imports', 'packages/access/src/a.ts', 'packages/database/src/b.ts'],
  ['access-database-documentation-imports', 'packages/database/src/a.ts', 'apps/console/src/b.ts'],
  ['domain-imports', 'packages/domain/src/provider/a.ts', 'packages/configuration/src/b.ts'],
  ['domain-imports', 'packages/domain/src/provider/a.ts', 'apps/console/src/b.ts'],
  ['access-database-documentation-imports', 'packages/database/src/a.ts', 'packages/domain/src/b.ts'],
  ['the-gateway-imports-its-own-statements', 'apps/gateway/src/a.ts', 'packages/domain/src/provider/console.ts'],
  ['the-gateway-imports-its-own-statements', 'apps/gateway/src/a.ts', 'packages/domain/src/account/key-acts.ts'],
  ['the-console-imports-its-own-statements', 'apps/console/src/a.ts', 'packages/domain/src/session/gateway.ts'],
  ['the-console-imports-its-own-statements', 'apps/console/src/a.ts', 'packages/domain/src/call/b.ts'],
  ['gw-imports', 'apps/gw/src/a.ts', 'packages/domain/src/provider/b.ts'],
  [
    'configuration-imports-contract-database-and-ledger-only',
    'packages/configuration/src/a.ts',
    'packages/access/src/b.ts',
  ],
  ['gateway-and-console-import-packages-only', 'apps/gateway/src/a.ts', 'apps/console/src/b.ts'],
  ['gateway-and-console-import-packages-only', 'apps/console/src/a.ts', 'apps/gatewayctl/src/b.ts'],
  ['only-the-gateway-imports-documentation', 'apps/console/src/a.ts', 'packages/documentation/src/b.ts'],
  ['gatewayctl-imports', 'apps/gatewayctl/src/a.ts', 'packages/documentation/src/b.ts'],
  ['gw-imports', 'apps/gw/src/a.ts', 'packages/database/src/b.ts'],
  ['gw-imports', 'apps/gw/src/a.ts', 'apps/gatewayctl/src/b.ts'],
  ['quickstart-imports-no-program', 'apps/quickstart/src/a.ts', 'apps/gateway/src/b.ts'],
  ['relay-steps-import-no-other-step', 'apps/gateway/src/relay/steps/a.ts', 'apps/gateway/src/relay/steps/b.ts'],
  ['relay-and-commands-import-not-each-other', 'apps/gateway/src/commands/a.ts', 'apps/gateway/src/relay/steps/b.ts'],
  ['relay-and-commands-import-not-each-other', 'apps/gateway/src/auth/a.ts', 'apps/gateway/src/commands/b.ts'],
  ['no-test-code-in-product', 'packages/ledger/src/a.ts', 'packages/ledger/src/testing/b.ts'],
];
const ALLOWED: readonly (readonly [from: string, to: string])[] = [
  ['packages/access/src/a.ts', 'packages/contract/src/b.ts'],
  ['packages/database/src/a.ts', 'packages/ledger/src/b.ts'],
  ['packages/domain/src/provider/a.ts', 'packages/access/src/b.ts'],
  ['apps/gateway/src/a.ts', 'packages/database/src/b.ts'],
  ['apps/gateway/src/a.ts', 'packages/domain/src/provider/gateway.ts'],
  ['apps/console/src/a.ts', 'packages/domain/src/provider/acts.ts'],
  ['apps/gatewayctl/src/a.ts', 'packages/domain/src/provider/owner.ts'],
  ['apps/gatewayctl/src/a.ts', 'packages/access/src/b.ts'],
  ['apps/gw/src/a.ts', 'packages/ledger/src/b.ts'],
  ['apps/gateway/src/relay/pipeline.ts', 'apps/gateway/src/relay/steps/b.ts'],
  ['apps/gateway/src/commands/a.ts', 'apps/gateway/src/auth/b.ts'],
  ['packages/ledger/src/a.test.ts', 'packages/ledger/src/testing/b.ts'],
];
const NETWORK = ['node:net', 'node:https', 'dns', 'node:dns/promises', 'node:http2'];

/** The same file with a number in its name, so that many cases fit into one tree. */
const numbered = (file: string, at: number): string => file.replace(/(\.test)?\.ts$/, `${at}$1.ts`);

describe('a planted violation is found', () => {
  let output: string;
  beforeAll(() => {
    openHouse();
    for (const [at, [, from, to]] of FORBIDDEN.entries()) imports(numbered(from, at), numbered(to, at));
    for (const [at, module] of NETWORK.entries())
      write(`apps/gw/src/diagnose/a${at}.ts`, `export * as network from '${module}';\n`);
    write('packages/ledger/src/cycle/a.ts', "export { b } from './b.ts';\nexport const a = 1;\n");
    write('packages/ledger/src/cycle/b.ts', "export { a } from './a.ts';\nexport const b = 1;\n");
    write('packages/ledger/src/unresolved.ts', "export { b } from './nowhere.ts';\n");
    output = violations().output;
    closeHouse();
  });

  it.each(FORBIDDEN.map((each, at) => [...each, at] as const))('%s: %s → %s', (rule, from, to, at) => {
    expect(output).toContain(`error ${rule}: ${numbered(from, at)} → ${numbered(to, at)}`);
  });
  it.each([...NETWORK.entries()])('gw-diagnose-makes-no-connection: %i %s', (at) => {
    expect(output).toContain(`error gw-diagnose-makes-no-connection: apps/gw/src/diagnose/a${at}.ts`);
  });
  it('no-cycles', () => expect(output).toContain('error no-cycles: packages/ledger/src/cycle/'));
  it('unresolved', () => expect(output).toContain('error unresolved: packages/ledger/src/unresolved.ts'));
});

it('what is allowed passes', () => {
  openHouse();
  for (const [at, [from, to]] of ALLOWED.entries()) imports(numbered(from, at), numbered(to, at));
  expect(violations()).toEqual({ status: 0, output: expect.stringContaining('no dependency violations found') });
  closeHouse();
});

describe('folders that import each other', () => {
  beforeEach(openHouse);
  afterEach(closeHouse);
  const FIRST = 'apps/gateway/src/relay/a.ts';
  it.each([
    [
      'side by side',
      FIRST,
      'apps/gateway/src/commands/b.ts',
      'apps/gateway/src/commands/c.ts',
      'apps/gateway/src/relay/d.ts',
    ],
    [
      'a folder and one in it',
      FIRST,
      'apps/gateway/src/relay/steps/b.ts',
      'apps/gateway/src/relay/steps/c.ts',
      'apps/gateway/src/relay/d.ts',
    ],
    [
      'by what is below them',
      'packages/secrets/src/scan/x/a.ts',
      'packages/secrets/src/rules/b.ts',
      'packages/secrets/src/rules/y/c.ts',
      'packages/secrets/src/scan/d.ts',
    ],
    [
      "the console's pages",
      'apps/console/src/web/ui/a.tsx',
      'apps/console/src/web/api/b.ts',
      'apps/console/src/web/api/c.ts',
      'apps/console/src/web/ui/d.tsx',
    ],
  ])('%s', (_, from, to, back, target) => {
    imports(from, to);
    expect(folderCycles(house)).toEqual([]);
    imports(back, target);
    const [cycle] = folderCycles(house);
    expect(cycle).toContain(`${from} imports ${to}`);
    expect(cycle).toContain(`${back} imports ${target}`);
  });

  it('through a third folder', () => {
    for (const [from, to] of [
      ['a', 'b'],
      ['b', 'c'],
      ['c', 'a'],
    ])
      imports(`apps/gw/src/${from}/x.ts`, `apps/gw/src/${to}/y.ts`);
    expect(folderCycles(house)[0]).toContain('apps/gw/src/a → apps/gw/src/b → apps/gw/src/c → apps/gw/src/a');
  });

  it('by a name of the package', () => {
    write('apps/console/package.json', '{ "imports": { "#account": { "default": "./src/web/account/a.ts" } } }');
    write('apps/console/src/web/pages/x.ts', "export { thing } from '#account';\n");
    imports('apps/console/src/web/account/a.ts', 'apps/console/src/web/pages/y.ts');
    expect(folderCycles(house)).toHaveLength(1);
  });

  it('but not where only a test does', () => {
    imports(FIRST, 'apps/gateway/src/commands/b.ts');
    imports('apps/gateway/src/commands/c.test.ts', 'apps/gateway/src/relay/d.ts');
    expect(folderCycles(house)).toEqual([]);
  });
});
