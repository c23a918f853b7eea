import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAuthority } from '@gateway/access/development-authority';
import { createEmptyDatabase, createTestDatabase } from '@gateway/database/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Given, runGateway } from '../testing/ended.ts';
import { testLicense } from '../testing/license.ts';
import { CAUSES, type CauseDependencies } from './testing/causes.ts';

let dependencies: CauseDependencies;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gateway-causes-'));
  const file = (name: string): string => join(folder, name);
  const write = (name: string, text: string): void => writeFileSync(file(name), text);
  for (const name of ['cardless', 'versionless', 'elsewhere', 'work']) mkdirSync(file(name));
  chmodSync(folder, 0o755);
  write('text', 'no PEM at all');
  write('versionless/archive.json', '{"path":"/v/1.0.0"}');
  write('elsewhere/archive.json', '{"version":"1.0.0","path":"/docs/1.0.0"}');
  const authority = createAuthority('authority of the service');
  const [own, other] = [authority.certify(['127.0.0.1']), authority.certify(['127.0.0.1'])];
  write('cert.pem', own.certificate);
  write('key.pem', own.key);
  write('empty', '');
  write('broken.pem', `${own.certificate}-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n`);
  write('other-key.pem', other.key);
  const [database, unmigrated] = await Promise.all([createTestDatabase(), createEmptyDatabase()]);
  dependencies = { database, unmigrated, file };
});
afterAll(async () => {
  await dependencies.database.sql`drop role if exists owners_member`;
  await Promise.all([dependencies.database.drop(), dependencies.unmigrated.drop()]);
  rmSync(folder, { recursive: true, force: true });
});

/** Reports whether the port was ever open while the program ran: it is in use, and connection attempts fail. */
async function started(profile: string, faulty: Given, words: readonly string[] = []) {
  const held = createServer();
  await new Promise<void>((resolve) => held.listen(0, '127.0.0.1', resolve));
  const address = held.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const environment = {
    DATABASE_URL: dependencies.database.gatewayUrl,
    ADMIN_API_KEY: `gwk_${'0123456789ab'.repeat(4)}`,
    HOST: '127.0.0.1',
    PORT: String(port),
    GATEWAY_STATE_DIR: dependencies.file('state'),
    ...(profile === 'on-premise' ? { GATEWAY_LICENSE: await testLicense() } : {}),
    ...faulty,
  };
  const ended = await runGateway(environment, words, profile);
  await new Promise((resolve) => held.close(resolve));
  return { ...ended, lines: ended.lines.map((line) => line.replace(/^gateway: /, '')) };
}

it.each(CAUSES)(
  'cause %i, %s (%s): a line for each fault, exit code 1, no port, no stack, no secret',
  async (_cause, _what, profile, faulty, expected) => {
    const { code, out, lines } = await started(profile, await faulty(dependencies));
    expect({ code, out, lines }).toEqual({
      code: 1,
      out: '',
      lines: expected.map((line) => expect.stringMatching(line) as unknown),
    });
    // The port is in use, so a start that tries to open it would report PORT.
    expect(lines.join('\n')).not.toMatch(/^PORT|^\s+at |Error:|hidden-word|gwk_0123/m);
  },
);

it('--check-configuration reports the same and opens no port, whether it is free or not', async () => {
  const faulty = { GATEWAY_DRAIN_SECONDS: 'soon', GATEWAY_SIGNING_KEY_FILE: dependencies.file('none.pem') };
  expect(await started('serverless', faulty, ['--check-configuration'])).toEqual({
    code: 1,
    out: '',
    lines: [expect.stringMatching(/^GATEWAY_DRAIN_SECONDS: /)],
  });
  expect(await started('serverless', {}, ['--check-configuration'])).toMatchObject({
    code: 0,
    out: 'The configuration is valid.\n',
  });
  const below = dependencies.file('text/none/state');
  expect(await started('serverless', { GATEWAY_STATE_DIR: below }, ['--check-configuration'])).toMatchObject({
    code: 1,
    lines: [expect.stringMatching(/^GATEWAY_STATE_DIR: .*\(ENOTDIR\)/)],
  });
  const unusable = { GATEWAY_SIGNING_KEY_FILE: dependencies.file('text') };
  expect((await started('serverless', unusable, ['--check-configuration'])).code).toBe(1);
});
