import { generateKeyPairSync } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { issueLicense } from '@gateway/access';
import { afterAll, describe, expect, it } from 'vitest';
import { CommandFailed, type Context, WrongUsage } from './context.ts';
import type { Environment } from './environment.ts';
import { compilePolicy, verifyLicenseText } from './find.ts';
import { openSigningKey } from './operator.ts';
import { ownerAddress } from './owner-database.ts';

const folder = mkdtempSync(join(tmpdir(), 'sources-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = (name: string, content: string): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};

describe('the address of the owner', () => {
  const URL = 'postgres://owner:hunter2@db.example/gateway';
  const addressOf = (environment: Partial<Environment>) => ownerAddress(environment as Environment);

  it('must be given, and the message shows one', () => {
    expect(() => addressOf({})).toThrow(WrongUsage);
    expect(() => addressOf({})).toThrow(/^DATABASE_URL is not set: .*postgres:\/\/owner:password@/);
  });

  it('is refused without its password where it is none', () => {
    for (const databaseUrl of ['hunter2', `${URL}?sslmode=disable`, 'mysql://owner:hunter2@db/gateway']) {
      expect(() => addressOf({ databaseUrl })).toThrow(CommandFailed);
      expect(() => addressOf({ databaseUrl })).toThrow(/^DATABASE_URL (?!.*hunter2)/);
    }
  });

  it('has one authority at most, which can be read', () => {
    expect(() => addressOf({ databaseUrl: URL, databaseCa: 'x', databaseCaFile: '/x' })).toThrow(
      'are both set. Keep one.',
    );
    expect(() => addressOf({ databaseUrl: URL, databaseCa: 'x' })).toThrow(
      'DATABASE_CA_CERT: contains no PEM certificate',
    );
    const path = file('ca.pem', 'no certificate');
    expect(() => addressOf({ databaseUrl: URL, databaseCaFile: path })).toThrow(
      `DATABASE_CA_CERT_PATH: ${path} contains no PEM`,
    );
    expect(() => addressOf({ databaseUrl: URL, databaseCaFile: '/nowhere' })).toThrow(
      'DATABASE_CA_CERT_PATH: /nowhere cannot be read.',
    );
  });
});

describe('a license', () => {
  const pair = generateKeyPairSync('ed25519');
  const publicKey = file('vendor.pub', String(pair.publicKey.export({ type: 'spki', format: 'pem' })));
  const now = Math.floor(Date.now() / 1000);
  const claims = {
    licensee: 'Acme',
    deployment: 'd',
    seats: 3,
    capabilities: [],
    iat: now,
    exp: now + 3600,
    graceDays: 1,
  };
  const issued = issueLicense(claims, String(pair.privateKey.export({ type: 'pkcs8', format: 'pem' })));
  const read = (environment: Partial<Environment>, path?: string, key = publicKey) =>
    verifyLicenseText({ environment } as unknown as Context, path, key);

  it('is read from the file that is named, or as the gateway reads it', async () => {
    const path = file('license', `${await issued}\n`);
    for (const license of [
      read({}, path),
      read({ license: ` ${await issued}` }),
      read({ licenseFile: path }),
      read({ license: 'other' }, path),
    ]) {
      expect((await license).claims).toEqual(claims);
    }
  });

  it('is named, or found in one place', async () => {
    await expect(read({})).rejects.toThrow(WrongUsage);
    await expect(read({ license: 'x', licenseFile: '/x' })).rejects.toThrow('are both set. Keep one.');
    await expect(read({ licenseFile: '/nowhere' })).rejects.toThrow('/nowhere cannot be read (ENOENT).');
  });

  it('is refused in a sentence if it was changed, or if the key is none', async () => {
    const text = await issued;
    for (const changed of ['', 'x', text.slice(0, -2), `${text}x`, text.replace('.', '..')]) {
      await expect(read({ license: changed })).rejects.toThrow(/^This license cannot be accepted: .+\.$/);
    }
    const other = file('other.pub', 'no key');
    await expect(read({ license: text }, undefined, other)).rejects.toThrow(
      `${other} contains no Ed25519 public key (PEM).`,
    );
  });
});

describe('a policy', () => {
  it('that is blank narrows nothing, and one that cannot be used is refused with its line', () => {
    for (const text of ['', ' \n']) expect(compilePolicy(text)).toBeNull();
    expect(compilePolicy('forbid(principal, action, resource);')).not.toBeNull();
    expect(() => compilePolicy('forbid(principal')).toThrow(/^The policy cannot be evaluated: .*line 1/);
  });
});

describe('the key of an operator', () => {
  it('is made for its owner alone, and the same the next time', () => {
    const path = join(folder, 'state', 'key.pem');
    expect(openSigningKey(path).keyId).toBe(openSigningKey(path).keyId);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('is never replaced: a file without a key is named', () => {
    const path = file('no-key.pem', 'text');
    chmodSync(path, 0o600);
    expect(() => openSigningKey(path)).toThrow(new RegExp(`^The signing key ${path} .+\\.$`));
    expect(() => openSigningKey(join(path, 'below'))).toThrow(/set another path in GATEWAY_SIGNING_KEY_FILE\.$/);
  });
});
