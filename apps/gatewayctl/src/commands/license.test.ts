import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { developmentSigningKey } from '@gateway/access/development-license';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Commands, openCommands } from '../testing/commands.ts';

let at: Commands;
let folder: string;
const file = (name: string) => join(folder, name);

beforeAll(async () => {
  at = await openCommands();
  folder = mkdtempSync(join(tmpdir(), 'gatewayctl-license-'));
  writeFileSync(file('signing.pem'), developmentSigningKey());
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  writeFileSync(file('other.pem'), privateKey.export({ format: 'pem', type: 'pkcs8' }));
  writeFileSync(file('other-public.pem'), publicKey.export({ format: 'pem', type: 'spki' }));
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await at.close();
});

/** Issues a license into a file and returns its name. */
async function issued(name: string, ...words: string[]): Promise<string> {
  const base = ['--licensee', 'Acme', '--deployment', 'north', '--signing-key', file('signing.pem')];
  const { code, out, err } = await at.ctl('license', 'issue', ...base, ...words);
  if (code !== 0) throw new Error(err);
  writeFileSync(file(name), out);
  return file(name);
}

describe('license issue', () => {
  // roles-20
  it('signs what the vendor means, and everything without more words', async () => {
    const all = await issued('all');
    expect(await at.json('license', 'show', all)).toMatchObject({
      licensee: 'Acme',
      deployment: 'north',
      seats: null,
      capabilities: ['inference', 'agent-execution', 'workstation-control'],
      graceDays: 14,
      standing: 'in-force',
    });
    const some = await issued(
      'some',
      '--seats',
      '20',
      '--capability',
      'inference',
      '--days',
      '30',
      '--grace-days',
      '0',
    );
    const claims = (await at.json('license', 'show', some)) as { exp: number; iat: number };
    expect(claims).toMatchObject({ seats: 20, capabilities: ['inference'], graceDays: 0 });
    expect(claims.exp - claims.iat).toBe(30 * 86_400);
  });
  it('is shown as text', async () => {
    const { out } = await at.ctl('license', 'show', await issued('all'));
    expect(out).toMatch(/Licensee +Acme\n/);
    expect(out).toMatch(/Seats +unlimited\n/);
    expect(out).toMatch(/Standing +in force\n/);
  });
  it.each([
    [['--seats', 'many'], '--seats must be a whole number'],
    [['--days', '-1'], '--days must be a whole number'],
    [['--capability', 'everything'], 'There is no capability "everything"'],
  ])('is used wrongly: %j', async (words, sentence) => {
    const base = ['--licensee', 'Acme', '--deployment', 'north', '--signing-key', file('signing.pem')];
    const { code, err } = await at.ctl('license', 'issue', ...base, ...words);
    expect([code, err]).toEqual([2, expect.stringContaining(sentence)]);
  });
  it('needs a signing key that is one', async () => {
    const base = ['license', 'issue', '--licensee', 'Acme', '--deployment', 'north', '--signing-key'];
    expect(await at.ctl(...base, file('other-public.pem'))).toMatchObject({
      code: 1,
      err: expect.stringContaining('no Ed25519 private key'),
    });
    expect(await at.ctl(...base, '/no/such')).toMatchObject({
      code: 1,
      err: expect.stringContaining('cannot be read (ENOENT)'),
    });
  });
});

describe('license verify', () => {
  it('accepts what a gateway of this build accepts, from a file or from its variables', async () => {
    const all = await issued('all');
    expect(await at.ctl('license', 'verify', all)).toMatchObject({
      code: 0,
      out: expect.stringContaining('Acme for north is valid until'),
    });
    expect((await at.ctlWith({ licenseFile: all }, 'license', 'verify')).code).toBe(0);
    const both = await at.ctlWith({ licenseFile: all, license: 'x' }, 'license', 'verify');
    expect(both).toMatchObject({ code: 1, err: expect.stringContaining('both set') });
    expect((await at.ctl('license', 'verify')).code).toBe(2);
  });
  it('refuses invalid options with the reason', async () => {
    const old = await issued('old', '--days', '0', '--grace-days', '0');
    expect(await at.ctl('license', 'verify', old)).toMatchObject({
      code: 1,
      err: expect.stringContaining('grace elapsed'),
    });
    expect((await at.ctl('license', 'show', old)).out).toMatch(/Standing +expired, its grace elapsed/);
    writeFileSync(file('text'), 'hello');
    expect(await at.ctl('license', 'verify', file('text'))).toMatchObject({
      code: 1,
      err: expect.stringContaining('is not a license'),
    });
    const all = await issued('all');
    const foreign = await at.ctl('license', 'verify', all, '--public-key', file('other-public.pem'));
    expect(foreign).toMatchObject({ code: 1, err: expect.stringContaining('signature') });
    const noKey = await at.ctl('license', 'verify', all, '--public-key', file('text'));
    expect(noKey).toMatchObject({ code: 1, err: expect.stringContaining('no Ed25519 public key') });
  });
  it('verifies with another key, where one is named', async () => {
    const base = ['--licensee', 'Acme', '--deployment', 'north', '--signing-key', file('other.pem')];
    writeFileSync(file('foreign'), (await at.ctl('license', 'issue', ...base)).out);
    expect((await at.ctl('license', 'verify', file('foreign'))).code).toBe(1);
    const named = await at.ctl('license', 'verify', file('foreign'), '--public-key', file('other-public.pem'));
    expect(named.code).toBe(0);
  });
});
