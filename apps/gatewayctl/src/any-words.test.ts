import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Environment } from './context/environment.ts';
import { COMMANDS, run } from './run.ts';

const PASSWORD = 'hidden-word';

let folder: string;
let environment: Environment;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatewayctl-any-words-'));
  writeFileSync(join(folder, 'list'), '[]');
  writeFileSync(join(folder, 'broken'), '{"policies":\n  [1,,]}\n');
  writeFileSync(join(folder, 'bytes'), Buffer.from([0, 255, 10, 13, 27]));
  environment = {
    // Nothing listens there: a command that takes its words for good ends at the database.
    databaseUrl: `postgres://owner:${PASSWORD}@127.0.0.1:1/gateway`,
    databaseCaFile: undefined,
    databaseCa: undefined,
    signingKeyFile: join(folder, 'no', 'key.pem'),
    license: undefined,
    licenseFile: undefined,
    operator: 'tester@machine',
  };
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function ctl(words: readonly string[], change: Partial<Environment> = {}) {
  let [out, err] = ['', ''];
  const terminal = {
    async write(text: string) {
      out += text;
    },
    report(text: string) {
      err += text;
    },
    watched: false,
    columns: null,
  };
  return { code: await run(words, { ...environment, ...change }, terminal), out, err };
}

/** The names of a command, and how many positional arguments it takes. */
const FORMS = COMMANDS.map(({ usage, options = [], required = [] }) => {
  const parts = usage.split(' ');
  return {
    names: parts.filter((part) => !/^[<[]/.test(part)),
    most: parts.filter((part) => /^[<[]/.test(part)).length,
    flags: [...options, ...required].map(([flags]) => flags.split(' ')),
  };
});

/** What a script passes by mistake. Every file name is below the test's own folder. */
const value = fc
  .constantFrom(
    '',
    ' ',
    '-',
    '0',
    '-1',
    '1e99',
    'nobody',
    'a\nb',
    'a\tb',
    '\u{1b}[31mred',
    '\u{202e}x',
    "'; drop table x; --",
    '2026-13-45',
    'list',
    'broken',
    'bytes',
    'no/such/file',
    'x'.repeat(3000),
  )
  .map((text) => (/^(?:list|broken|bytes|no\/such\/file)$/.test(text) ? join(folder, text) : text));

const commandLine = fc.constantFrom(...FORMS).chain(({ names, most, flags }) =>
  fc
    .record({
      positional: fc.array(value, { maxLength: most + 1 }),
      chosen: fc.subarray(flags, { maxLength: Math.min(3, flags.length) }),
      given: fc.array(value, { minLength: 3, maxLength: 3 }),
      json: fc.boolean(),
    })
    .map(({ positional, chosen, given, json }) => [
      ...names,
      ...(json ? ['--json'] : []),
      ...chosen.flatMap(([flag = '', takes], nth) => (takes === undefined ? [flag] : [flag, given[nth] ?? ''])),
      '--',
      ...positional,
    ]),
);

describe('any command line', () => {
  it('ends with a documented exit code and readable lines, and shows neither a stack trace nor the password', async () => {
    await fc.assert(
      fc.asyncProperty(commandLine, async (words) => {
        const { code, err } = await ctl(words);
        expect([0, 1, 2]).toContain(code);
        expect(err).not.toMatch(/\n\s+at |TypeError|RangeError|ReferenceError|undefined/);
        expect(err).not.toContain(PASSWORD);
        expect(err).not.toMatch(/(?!\n)\p{Cc}/u);
        expect(code === 0 || err !== '').toBe(true);
      }),
      { numRuns: 100 },
    );
  });
});

describe('without a database', () => {
  it.each([
    'grant alice auditor root',
    'roles',
    'account list',
    'account create alice',
    'migrate',
    'migrate --check',
    'journal verify',
    'export',
    'session standing x',
  ])('%s says what cannot be reached, in one line', async (line) => {
    const ran = await ctl(line.split(' '));
    expect(ran).toEqual({
      code: 1,
      out: '',
      err: 'gatewayctl: The database of DATABASE_URL cannot be reached: nothing listens there.\n',
    });
  });

  it.each<[what: string, change: Partial<Environment>, code: number, said: RegExp]>([
    ['no address', { databaseUrl: undefined }, 2, /^gatewayctl: DATABASE_URL is not set: give the address/],
    [
      'an address of another database',
      { databaseUrl: `mysql://u:${PASSWORD}@h/x` },
      1,
      /^gatewayctl: DATABASE_URL must begin with/,
    ],
    [
      'a host that does not exist',
      { databaseUrl: `postgres://u:${PASSWORD}@no-such-host.invalid/x` },
      1,
      /cannot be reached/,
    ],
    [
      'an authority file that is not there',
      { databaseCaFile: '/no/such' },
      1,
      /^gatewayctl: DATABASE_CA_CERT_PATH: \/no\/such cannot be read\.$/m,
    ],
    [
      'an authority that is no certificate',
      { databaseCa: PASSWORD },
      1,
      /^gatewayctl: DATABASE_CA_CERT: contains no PEM certificate/,
    ],
    ['two authorities', { databaseCa: 'x', databaseCaFile: 'y' }, 1, /are both set\. Keep one\.$/m],
  ])('%s is named, and no secret is shown', async (_what, change, code, said) => {
    const ran = await ctl(['roles'], change);
    expect(ran).toMatchObject({ code, out: '', err: expect.stringMatching(said) });
    expect(ran.err).not.toContain(PASSWORD);
    expect(ran.err.trimEnd()).not.toContain('\n');
  });
});
