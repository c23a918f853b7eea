import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { folderCycles } from './folder-cycles.ts';

// The rules of .dependency-cruiser.json, each against a small house with one planted violation.
const ROOT = fileURLToPath(new URL('..', import.meta.url));
let house: string;

beforeEach(() => {
  // Inside the checkout, for the tool finds its parser from where it runs.
  house = mkdtempSync(join(ROOT, 'node_modules/.dependency-rules-'));
});

afterEach(() => rmSync(house, { recursive: true, force: true }));

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

describe('a planted violation is found', () => {
  it.each([
    ['contract-json-ledger-and-secrets-import-json-only', 'packages/ledger/src/a.ts', 'packages/contract/src/b.ts'],
    ['contract-json-ledger-and-secrets-import-json-only', 'packages/contract/src/a.ts', 'apps/gateway/src/b.ts'],
    ['access-database-documentation-imports', 'packages/access/src/a.ts', 'packages/database/src/b.ts'],
    ['access-database-documentation-imports', 'packages/database/src/a.ts', 'apps/console/src/b.ts'],
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
  ])('%s: %s → %s', (rule, from, to) => {
    imports(from, to);
    const { status, output } = violations();
    expect(output).toContain(`error ${rule}: ${from} → ${to}`);
    expect(status).not.toBe(0);
  });

  it.each(['node:net', 'node:https', 'dns', 'node:dns/promises', 'node:http2'])(
    'gw-diagnose-makes-no-connection: %s',
    (module) => {
      write('apps/gw/src/diagnose/a.ts', `export * as network from '${module}';\n`);
      expect(violations().output).toContain('error gw-diagnose-makes-no-connection');
    },
  );

  it('no-cycles', () => {
    write('packages/ledger/src/a.ts', "export { b } from './b.ts';\nexport const a = 1;\n");
    write('packages/ledger/src/b.ts', "export { a } from './a.ts';\nexport const b = 1;\n");
    expect(violations().output).toContain('error no-cycles');
  });

  it('unresolved', () => {
    write('packages/ledger/src/a.ts', "export { b } from './nowhere.ts';\n");
    expect(violations().output).toContain('error unresolved');
  });
});

describe('folders that import each other', () => {
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

describe('what is allowed passes', () => {
  it.each([
    ['packages/access/src/a.ts', 'packages/contract/src/b.ts'],
    ['packages/database/src/a.ts', 'packages/ledger/src/b.ts'],
    ['apps/gateway/src/a.ts', 'packages/database/src/b.ts'],
    ['apps/gatewayctl/src/a.ts', 'packages/access/src/b.ts'],
    ['apps/gw/src/a.ts', 'packages/ledger/src/b.ts'],
    ['apps/gateway/src/relay/pipeline.ts', 'apps/gateway/src/relay/steps/b.ts'],
    ['apps/gateway/src/commands/a.ts', 'apps/gateway/src/auth/b.ts'],
    ['packages/ledger/src/a.test.ts', 'packages/ledger/src/testing/b.ts'],
  ])('%s → %s', (from, to) => {
    imports(from, to);
    expect(violations()).toEqual({ status: 0, output: expect.stringContaining('no dependency violations found') });
  });
});
