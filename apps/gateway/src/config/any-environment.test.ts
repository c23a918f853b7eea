import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { profile as onPremise } from '../profile/on-premise.ts';
import type { Profile } from '../profile/profile.ts';
import { profile as serverless } from '../profile/serverless.ts';
import { readConfiguration, variablesOf } from './configuration.ts';

const WORD = 'hidden-word';

let folder: string;
let files: readonly string[];
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gateway-any-environment-'));
  const contents = {
    empty: '',
    blank: ' \n\n',
    binary: Buffer.from([0, 255, 10, 13, 27, 128]),
    lines: `{\n  "workloads": [\n    ${WORD}\n  ]\n}\n`,
    list: '[]',
    entries: `{"workloads":[{"name":"a\\nb","issuer":"${WORD}"}, 1, null]}`,
    certificate: `-----BEGIN CERTIFICATE-----\n${WORD}\n-----END CERTIFICATE-----\n`,
    key: `-----BEGIN PRIVATE KEY-----\n${WORD}\n-----END PRIVATE KEY-----\n`,
  };
  files = Object.entries(contents).map(([name, content]) => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const SECRET = /^(?:DATABASE_URL|ADMIN_API_KEY|GATEWAY_LICENSE|.*_HEADERS)$/;
const ADDRESS = /^(?:HTTPS?_PROXY|DATABASE_URL|OIDC_ISSUER|GATEWAY_(?:LOG_EXPORT|METRICS|TRACES)_URL)$/;

const word = fc.constantFrom(
  WORD,
  `${WORD}\nsecond line`,
  `\u{1b}[31m${WORD}`,
  `${WORD},${WORD}`,
  `=${WORD}`,
  `%${WORD}`,
);
const address = fc
  .tuple(
    fc.constantFrom('http', 'https', 'postgres', 'postgresql', 'syslog+tls', 'ftp', ''),
    fc.constantFrom(`user:${WORD}@`, `${WORD}@`, `user:${WORD}%@`, `${WORD}%zz:x@`),
    fc.constantFrom('host', 'host:0', 'host:99999', '[::1', '', 'a b', 'h\u{200b}ost', 'host:5432/name'),
    fc.constantFrom('', '/', '/path', '?sslmode=disable', '#x', '?a\nb'),
  )
  .map(([scheme, user, host, rest]) => `${scheme}://${user}${host}${rest}`);

/** A value that somebody may set by mistake; one with the word only where it must not be shown. */
function valueOf(name: string): fc.Arbitrary<string> {
  const common = fc.oneof(
    fc.constantFrom(
      '',
      ' ',
      '0',
      '-1',
      '1e9',
      '70000',
      '/no/such/file',
      folder,
      'a\nb',
      '\u{2028}',
      '\0',
      'x'.repeat(10_000),
    ),
    fc.integer({ min: 0, max: 7 }).map((nth) => files[nth] ?? ''),
  );
  if (ADDRESS.test(name)) return fc.oneof(common, address);
  return SECRET.test(name) ? fc.oneof(common, word) : common;
}

describe.each<[string, Profile]>([
  ['hosted', serverless],
  ['restricted', onPremise],
])('any environment of the %s build', (_name, profile) => {
  const names = variablesOf(profile).map(({ name }) => name);

  it('is read, or refused in lines that name a variable, are short, and show no secret', async () => {
    const environment = fc
      .uniqueArray(fc.constantFrom(...names), { minLength: 1, maxLength: 8 })
      .chain((chosen) => fc.record(Object.fromEntries(chosen.map((name) => [name, valueOf(name)]))));
    await fc.assert(
      fc.asyncProperty(environment, async (given) => {
        const { configuration, faults } = await readConfiguration(given, profile);
        expect(configuration === null).toBe(faults.length > 0);
        for (const fault of faults) {
          expect(names).toContain(fault.split(':', 1)[0]);
          expect(fault).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
          expect(fault).not.toContain(WORD);
          expect(fault.length).toBeLessThan(1500);
        }
      }),
      { numRuns: 300 },
    );
  });
});
