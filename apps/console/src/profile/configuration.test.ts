import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAuthority } from '@gateway/access/development-authority';
import type { Environment } from '@gateway/configuration';
import { afterAll, describe, expect, it } from 'vitest';
import { readConfiguration, variablesOf } from './configuration.ts';
import { profile as onPremise } from './on-premise.ts';
import { profile as serverless } from './serverless.ts';

const folder = mkdtempSync(join(tmpdir(), 'console-configuration-'));
afterAll(() => rmSync(folder, { recursive: true }));
function file(name: string, content: string): string {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
}
const certificate = file('ca.pem', createAuthority('authority').certificate);

const PAIR = { ADMIN_USER: 'operator', ADMIN_PASS: 'pass' };
const GOOD = { ...PAIR, DATABASE_URL: 'postgres://console_service:secret@db.example:5432/gateway' };
const read = (environment: Environment) => readConfiguration(environment, serverless);
const faultsOf = (environment: Environment) => {
  const outcome = read(environment);
  return 'faults' in outcome ? outcome.faults : [];
};
const configurationOf = (environment: Environment) => {
  const outcome = read(environment);
  if ('faults' in outcome) throw new Error(outcome.faults.join('\n'));
  return outcome.configuration;
};

describe('the configuration', () => {
  it('requires only the shared pair in the hosted profile', () => {
    expect(configurationOf(PAIR)).toMatchObject({
      port: 6002,
      host: null,
      databaseAssumed: true,
      profile: { user: 'operator' },
    });
  });
  it('needs nothing at all on-premise, which does not read the pair', () => {
    expect(readConfiguration({}, onPremise)).toHaveProperty('configuration');
    expect(variablesOf(onPremise).map(({ name }) => name)).not.toContain('ADMIN_PASS');
  });
  it("takes the gateway's address without a slash at its end", () => {
    expect(configurationOf(PAIR).gatewayUrl).toBeNull();
    const written = { GATEWAY_PUBLIC_URL: 'https://gateway.example/' };
    expect(configurationOf({ ...PAIR, ...written }).gatewayUrl).toBe('https://gateway.example');
  });
  it('is frozen', () => {
    expect(Object.isFrozen(configurationOf(GOOD))).toBe(true);
  });
  it('counts a blank variable as absent', () => {
    expect(configurationOf({ ...PAIR, PORT: '  ', DATABASE_URL: '', HOST: '' }).port).toBe(6002);
  });
  it('puts the signing key at the configured path, else into the state directory', () => {
    expect(configurationOf(PAIR).signingKeyFile).toMatch(/\/\.gateway\/console-signing-key\.pem$/);
    expect(configurationOf({ ...PAIR, GATEWAY_STATE_DIR: '/s' }).signingKeyFile).toBe('/s/console-signing-key.pem');
    const file = { GATEWAY_STATE_DIR: '/s', GATEWAY_SIGNING_KEY_FILE: '/k/key.pem' };
    expect(configurationOf({ ...PAIR, ...file }).signingKeyFile).toBe('/k/key.pem');
  });
  it('verifies TLS for every host but this machine, and here too where an authority is given', () => {
    expect(configurationOf(GOOD).database.tls).toEqual({ ca: undefined });
    expect(configurationOf(PAIR).database.tls).toBeNull();
    expect(configurationOf({ ...GOOD, DATABASE_CA_CERT_PATH: certificate }).database.tls?.ca).toContain(
      'BEGIN CERTIFICATE',
    );
  });
});

describe('a fault of the configuration', () => {
  it.each([
    ['ADMIN_USER', { ADMIN_USER: undefined }],
    ['ADMIN_USER', { ADMIN_USER: '  ' }],
    ['ADMIN_USER', { ADMIN_USER: 'a:b' }],
    ['ADMIN_PASS', { ADMIN_PASS: '' }],
    ['PORT', { PORT: 'http' }],
    ['PORT', { PORT: '65536' }],
    ['PORT', { PORT: '-1' }],
    ['PORT', { PORT: '6002.5' }],
    ['HOST', { HOST: 'console.example' }],
    ['CONSOLE_PUBLIC_URL', { CONSOLE_PUBLIC_URL: 'https://console.example/console' }],
    ['CONSOLE_PUBLIC_URL', { CONSOLE_PUBLIC_URL: 'console.example' }],
    ['GATEWAY_PUBLIC_URL', { GATEWAY_PUBLIC_URL: 'gateway.example' }],
    ['GATEWAY_PUBLIC_URL', { GATEWAY_PUBLIC_URL: 'https://gateway.example?secret' }],
    ['DATABASE_URL', { DATABASE_URL: 'mysql://a@b/c' }],
    ['DATABASE_URL', { DATABASE_URL: `${GOOD.DATABASE_URL}?sslmode=disable` }],
    ['DATABASE_URL', { DATABASE_URL: `${GOOD.DATABASE_URL}?sslmode=verify-full` }],
    ['DATABASE_URL', { DATABASE_URL: `${GOOD.DATABASE_URL}?ssl=true` }],
    ['DATABASE_URL', { DATABASE_URL: 'secret' }],
    ['DATABASE_CA_CERT_PATH', { DATABASE_CA_CERT_PATH: '/nowhere/ca.pem' }],
    ['DATABASE_CA_CERT_PATH', { DATABASE_CA_CERT_PATH: file('empty.pem', '') }],
    ['DATABASE_CA_CERT_PATH', { DATABASE_CA_CERT_PATH: file('key.pem', 'no certificate') }],
    ['DATABASE_CA_CERT_PATH', { DATABASE_CA_CERT_PATH: certificate, DATABASE_CA_CERT: 'x' }],
    ['DATABASE_CA_CERT', { DATABASE_CA_CERT: '-----BEGIN CERTIFICATE-----' }],
  ])('is one line that begins with %s: %j', (name, change) => {
    const faults = faultsOf({ ...GOOD, ...change });
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(new RegExp(`^${name}: .*[^\\n]\\.$`));
    expect(faults[0]).not.toContain('secret');
  });
  it('does not hide another: all are reported at once', () => {
    expect(faultsOf({ PORT: 'x', HOST: 'y', DATABASE_URL: 'z' }).map((line) => line.split(':')[0])).toEqual([
      'ADMIN_USER',
      'ADMIN_PASS',
      'DATABASE_URL',
      'PORT',
      'HOST',
    ]);
  });
});

describe('the variables', () => {
  it.each([serverless, onPremise])('of $name are described, each once', (profile) => {
    const variables = variablesOf(profile);
    expect(new Set(variables.map(({ name }) => name)).size).toBe(variables.length);
    for (const variable of variables) {
      expect(variable.effect).toMatch(/\.$/);
      expect(variable.form).not.toBe('');
    }
  });
});
