import { homedir, hostname } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { readEnvironment } from './environment.ts';

afterEach(() => vi.unstubAllEnvs());

/** The environment with some variables set, and the others that are read removed. */
function withVariables(variables: Readonly<Record<string, string>>) {
  for (const name of [
    'DATABASE_URL',
    'DATABASE_CA_CERT',
    'DATABASE_CA_CERT_PATH',
    'GATEWAY_LICENSE',
    'GATEWAY_LICENSE_FILE',
    'GATEWAY_SIGNING_KEY_FILE',
    'GATEWAY_STATE_DIR',
    'XDG_STATE_HOME',
  ]) {
    vi.stubEnv(name, variables[name]);
  }
  return readEnvironment();
}

describe('the key that seals acts', () => {
  const KEY = 'gatewayctl-signing-key.pem';
  it.each([
    [{}, join(homedir(), '.local', 'state', 'gateway', KEY)],
    [{ XDG_STATE_HOME: '/state' }, `/state/gateway/${KEY}`],
    [{ XDG_STATE_HOME: '/state', GATEWAY_STATE_DIR: '/gateway' }, `/gateway/${KEY}`],
    [{ GATEWAY_STATE_DIR: '/gateway', GATEWAY_SIGNING_KEY_FILE: '/keys/own.pem' }, '/keys/own.pem'],
    [
      { GATEWAY_STATE_DIR: ' ', XDG_STATE_HOME: '', GATEWAY_SIGNING_KEY_FILE: '\n' },
      join(homedir(), '.local', 'state', 'gateway', KEY),
    ],
  ])('with %j is %s', (variables, file) => {
    expect(withVariables(variables).signingKeyFile).toBe(file);
  });
});

describe('what is not set', () => {
  it('is absent, and so is what is blank', () => {
    const absent = {
      databaseUrl: undefined,
      databaseCa: undefined,
      databaseCaFile: undefined,
      license: undefined,
      licenseFile: undefined,
    };
    expect(withVariables({})).toMatchObject(absent);
    expect(withVariables({ DATABASE_URL: ' ', DATABASE_CA_CERT: '', GATEWAY_LICENSE: '\t' })).toMatchObject(absent);
  });

  it('is read without the blanks around it otherwise', () => {
    expect(
      withVariables({ DATABASE_URL: ' postgres://owner@host/gateway\n', DATABASE_CA_CERT_PATH: '/ca.pem ' }),
    ).toMatchObject({
      databaseUrl: 'postgres://owner@host/gateway',
      databaseCaFile: '/ca.pem',
    });
  });
});

it('the author of an act without one is the user and the machine', () => {
  expect(withVariables({}).operator).toMatch(/^[^@]+@/);
  expect(withVariables({}).operator.endsWith(`@${hostname()}`)).toBe(true);
});
