import { createHmac, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { developmentSigningKey } from './development-license.ts';
import {
  issueLicense,
  type LicenseClaims,
  licenseClaims,
  licenseRefusal,
  licenseWarning,
  termOf,
  verifyLicense,
} from './license.ts';
import { TRUSTS_DEVELOPMENT_LICENSES, VENDOR_PUBLIC_KEY } from './vendor-key.ts';

const END = Date.UTC(2030, 5, 15);
const DAY = 86_400_000;
const CLAIMS: LicenseClaims = {
  licensee: 'Acme',
  deployment: 'north',
  seats: 20,
  capabilities: ['inference'],
  iat: END / 1000 - 365 * 86_400,
  exp: END / 1000,
  graceDays: 14,
};

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

async function faultOf(text: string, key = VENDOR_PUBLIC_KEY): Promise<string> {
  const verdict = await verifyLicense(text, key);
  return verdict.ok ? 'none' : verdict.fault.kind;
}

describe('a license that was issued', () => {
  it('verifies with the public half, and carries its claims', async () => {
    const text = await issueLicense(CLAIMS, developmentSigningKey());
    expect(await verifyLicense(text, VENDOR_PUBLIC_KEY)).toEqual({ ok: true, license: { text, claims: CLAIMS } });
  });
  it('has only EdDSA in its header', async () => {
    const [head] = (await issueLicense(CLAIMS, developmentSigningKey())).split('.');
    expect(JSON.parse(Buffer.from(String(head), 'base64url').toString())).toEqual({ alg: 'EdDSA' });
  });
  it('keeps members and capabilities of a later product version', async () => {
    const newer = { ...CLAIMS, capabilities: ['inference', 'of-tomorrow'], tier: 'gold' };
    const verdict = await verifyLicense(await issueLicense(newer, developmentSigningKey()), VENDOR_PUBLIC_KEY);
    expect(verdict).toMatchObject({ ok: true, license: { claims: newer } });
  });
  it.each([
    ['seats that are no integer', { seats: 1.5 }],
    ['negative seats', { seats: -1 }],
    ['no licensee', { licensee: '' }],
    ['an end that is a text', { exp: '2030-01-01' }],
    ['an end in milliseconds', { exp: END }],
    ['an end before all ends', { exp: -1 }],
    ['a beginning no calendar has', { iat: Number.MAX_SAFE_INTEGER }],
    ['grace below zero', { graceDays: -1 }],
    ['grace without end', { graceDays: 1_000_000 }],
    ['a capability that is no text', { capabilities: [7] }],
  ])('is never issued with %s', async (_, change) => {
    const claims = { ...CLAIMS, ...change } as LicenseClaims;
    await expect(issueLicense(claims, developmentSigningKey())).rejects.toThrow(/too_small|too_big|invalid_type/);
  });
  it('is signed with Ed25519 only', async () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const pem = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
    await expect(issueLicense(CLAIMS, pem)).rejects.toThrow('Ed25519');
  });
});

describe('a text that is no license of the vendor', () => {
  it.each(['', 'hello', 'a.b', 'a.b.c', '..', 'gwk_0123456789abcdef0123456789abcdef0123456789abcdef'])(
    'unreadable: %j',
    async (text) => expect(await faultOf(text)).toBe('unreadable'),
  );
  it('signed by another key', async () => {
    const { privateKey } = generateKeyPairSync('ed25519');
    const pem = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
    expect(await faultOf(await issueLicense(CLAIMS, pem))).toBe('signature');
  });
  it('with claims changed under the vendor’s signature', async () => {
    const [head, , signature] = (await issueLicense(CLAIMS, developmentSigningKey())).split('.');
    expect(await faultOf(`${head}.${encode({ ...CLAIMS, seats: null })}.${signature}`)).toBe('signature');
  });
  it('unsigned, or signed with the public key as a shared secret', async () => {
    const payload = encode(CLAIMS);
    expect(await faultOf(`${encode({ alg: 'none' })}.${payload}.`)).not.toBe('none');
    const signed = `${encode({ alg: 'HS256' })}.${payload}`;
    const mac = createHmac('sha256', VENDOR_PUBLIC_KEY).update(signed).digest('base64url');
    expect(await faultOf(`${signed}.${mac}`)).toBe('signature');
  });
  it('signed by the vendor, but about something else', async () => {
    const { CompactSign } = await import('jose');
    const { createPrivateKey } = await import('node:crypto');
    const sign = (text: string) =>
      new CompactSign(new TextEncoder().encode(text))
        .setProtectedHeader({ alg: 'EdDSA' })
        .sign(createPrivateKey(developmentSigningKey()));
    expect(await faultOf(await sign('{"licensee":"Acme"}'))).toBe('claims');
    expect(await faultOf(await sign('[]'))).toBe('claims');
    expect(await faultOf(await sign('not json'))).toBe('unreadable');
  });
  it('the sentence never repeats the text', async () => {
    const verdict = await verifyLicense('secret-of-somebody', VENDOR_PUBLIC_KEY);
    expect(JSON.stringify(verdict)).not.toContain('secret-of-somebody');
  });
});

describe('the term of a license', () => {
  it.each([
    [END - 1, 'in-force'],
    [END, 'in-grace'],
    [END + 14 * DAY - 1, 'in-grace'],
    [END + 14 * DAY, 'elapsed'],
  ])('at %d is %s', (now, term) => expect(termOf(CLAIMS, now)).toBe(term));
  it('has no grace when none is given', () => expect(termOf({ ...CLAIMS, graceDays: 0 }, END)).toBe('elapsed'));

  it('can be shown and is valid, for any duration', () => {
    const longest = { ...CLAIMS, exp: 253_402_300_799, graceDays: 999_999, seats: Number.MAX_SAFE_INTEGER };
    expect(licenseClaims.parse(longest)).toEqual(longest);
    expect(termOf(longest, END)).toBe('in-force');
    expect(termOf(longest, longest.exp * 1000)).toBe('in-grace');
    expect(licenseWarning(longest, longest.exp * 1000)).toContain('served until');
  });

  it('warns from 30 days before the end, with the consequence', () => {
    expect(licenseWarning(CLAIMS, END - 31 * DAY)).toBeNull();
    expect(licenseWarning(CLAIMS, END - 30 * DAY)).toContain('in 30 days');
    expect(licenseWarning(CLAIMS, END - 1)).toContain('in 1 day.');
    expect(licenseWarning(CLAIMS, END)).toContain('served until 2030-06-29');
    expect(licenseWarning(CLAIMS, END + 14 * DAY)).toContain('refused');
  });
});

describe('what a license covers', () => {
  it('a capability it names, until its grace has elapsed', () => {
    expect(licenseRefusal(CLAIMS, 'inference', END)).toBeNull();
    expect(licenseRefusal(CLAIMS, 'inference', END + 14 * DAY)?.code).toBe('license-expired');
  });
  it('no other capability, and names it', () => {
    expect(licenseRefusal(CLAIMS, 'agent-execution', 0)).toMatchObject({
      code: 'license-capability',
      details: { name: 'agent-execution' },
    });
  });
});

describe('the key this build trusts', () => {
  it('is the public half of the development key, and is reported as such, in a build without a key', () => {
    const half = createPublicKey(developmentSigningKey()).export({ format: 'pem', type: 'spki' });
    expect(VENDOR_PUBLIC_KEY).toBe(half);
    expect(TRUSTS_DEVELOPMENT_LICENSES).toBe(true);
  });
});
