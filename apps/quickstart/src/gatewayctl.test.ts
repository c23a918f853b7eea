import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type Gatewayctl, gatewayctl } from './component.ts';
import { StartFault } from './environment.ts';
import { ensureOrganization } from './start-all.ts';

const folder = mkdtempSync(join(tmpdir(), 'quickstart-ctl-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Operator commands by a program that is written here. */
function operator(program: string): Gatewayctl {
  const file = join(folder, 'gatewayctl.mjs');
  writeFileSync(file, program);
  return gatewayctl(file, 'postgres://owner', '/state', { PATH: '/bin' });
}

describe('an operator command', () => {
  it('gets its words and an environment of its own', async () => {
    const run = operator('console.log(JSON.stringify([process.argv.slice(2), process.env]))');
    expect(JSON.parse(await run('account', 'list', 'a b', ''))).toEqual([
      ['account', 'list', 'a b', ''],
      { PATH: '/bin', DATABASE_URL: 'postgres://owner', GATEWAY_STATE_DIR: '/state' },
    ]);
  });

  it('gives what it printed, whole, and not what it reported besides', async () => {
    const run = operator("process.stdout.write('é'.repeat(200_000)); console.error('a note')");
    expect(await run('export')).toBe('é'.repeat(200_000));
  });

  it.each([
    [
      "console.error('gatewayctl: There is no account.'); process.exitCode = 1",
      'gatewayctl account ended with 1: gatewayctl: There is no account.',
    ],
    ["console.log('printed'); process.exitCode = 2", 'gatewayctl account ended with 2: printed'],
    ["process.kill(process.pid, 'SIGKILL')", 'gatewayctl account ended with null: '],
  ])('that fails is reported in its own words: %s', async (program, message) => {
    const failed = operator(program)('account', 'create');
    await expect(failed).rejects.toThrow(StartFault);
    await expect(failed).rejects.toThrow(message);
  });
});

describe('the organization that the gateway is to serve', () => {
  const made = async (known: readonly string[], slug: string): Promise<string[]> => {
    const words: string[] = [];
    await ensureOrganization(async (...given) => {
      words.push(given.join(' '));
      return JSON.stringify(known.map((one) => ({ slug: one })));
    }, slug);
    return words;
  };

  it('is made where it is absent, and only then', async () => {
    expect(await made([], 'acme')).toEqual(['organization list --json', 'organization create acme acme']);
    expect(await made(['acme-2', 'Acme'], 'acme')).toHaveLength(2);
    expect(await made(['other', 'acme'], 'acme')).toEqual(['organization list --json']);
  });
});
