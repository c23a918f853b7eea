import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { signingKey } from '../testing/identity-provider.ts';
import { createIssuerKeys, type IssuerKeys, KEYS_FRESH_MS, LAST_MS, RETRY_MS, UNKNOWN_KEY_MS } from './keys.ts';
import { IdentityProviderUnreachable } from './transport.ts';

const ISSUER = 'https://directory.example';
const ADDRESS = `${ISSUER}/keys`;
const DISCOVERY = `${ISSUER}/.well-known/openid-configuration`;

let jwk: unknown;
let asked: string[];
let clock: number;
let documents: Record<string, unknown>;
let keys: IssuerKeys;

beforeAll(async () => {
  jwk = await signingKey();
});
beforeEach(() => {
  asked = [];
  clock = 1_000_000_000;
  documents = { [DISCOVERY]: { issuer: ISSUER, jwks_uri: ADDRESS }, [ADDRESS]: { keys: [jwk] } };
  keys = createIssuerKeys(ISSUER, fetchJson, () => clock);
});

async function fetchJson(address: string): Promise<unknown> {
  asked.push(address);
  await Promise.resolve();
  if (documents[address] === undefined) throw new IdentityProviderUnreachable('down');
  return documents[address];
}
/** Settles everything that has begun: `fetchJson` awaits only promises. */
const fetched = () => new Promise((resolve) => setImmediate(resolve));
const keyFetches = () => asked.filter((address) => address === ADDRESS).length;

describe('the keys of an identity provider', () => {
  it('are fetched once, by way of its discovery document, for all waiting callers', async () => {
    const sets = await Promise.all(Array.from({ length: 20 }, () => keys.current()));
    expect(asked).toEqual([DISCOVERY, ADDRESS]);
    expect(new Set(sets).size).toBe(1);
  });
  it('are fetched again after ten minutes, and not before their last minute', async () => {
    const first = await keys.current();
    clock += KEYS_FRESH_MS - LAST_MS - 1;
    expect(await keys.current()).toBe(first);
    expect(asked).toHaveLength(2);
    clock += LAST_MS + 1;
    expect(await keys.current()).not.toBe(first);
    expect(asked).toHaveLength(4);
  });
  it('are fetched again in their last minute while in use, so that no caller waits at its end', async () => {
    const first = await keys.current();
    clock += KEYS_FRESH_MS - LAST_MS;
    expect(await Promise.all([keys.current(), keys.current()])).toEqual([first, first]);
    await fetched();
    const second = await keys.current();
    expect(second).not.toBe(first);
    clock += KEYS_FRESH_MS - LAST_MS - 1;
    expect(await keys.current()).toBe(second);
    expect(asked).toHaveLength(4);
  });
  it('are used to their end while the identity provider is down in their last minute, and it is asked repeatedly', async () => {
    const first = await keys.current();
    const { [DISCOVERY]: discovery, ...away } = documents;
    documents = away;
    clock += KEYS_FRESH_MS - LAST_MS;
    for (let call = 0; call < 50; call += 1) {
      expect(await keys.current()).toBe(first);
      await fetched();
    }
    expect(asked).toHaveLength(3);
    documents = { ...away, [DISCOVERY]: discovery };
    clock += RETRY_MS;
    expect(await keys.current()).toBe(first);
    await fetched();
    clock += LAST_MS;
    expect(await keys.current()).not.toBe(first);
    expect(asked).toHaveLength(5);
  });
  it('are fetched again when the clock was set back', async () => {
    await keys.current();
    clock -= 86_400_000;
    await keys.current();
    expect(keyFetches()).toBe(2);
  });
  it('are not used past their time while the identity provider is down, and callers do not wait for it repeatedly', async () => {
    await keys.current();
    documents = {};
    clock += KEYS_FRESH_MS;
    for (let call = 0; call < 50; call += 1) await expect(keys.current()).rejects.toThrow('down');
    expect(asked).toHaveLength(3);
    clock += RETRY_MS;
    await expect(keys.current()).rejects.toThrow('down');
    expect(asked).toHaveLength(4);
  });
});

describe('other members of a key set', () => {
  it('are ignored, and the keys are used', async () => {
    documents = {
      ...documents,
      [ADDRESS]: { keys: [null, 'text', {}, { kty: 7 }, { kty: 'AKP', alg: 'ML-DSA-65' }, jwk] },
    };
    const { keys: kept } = (await keys.current()).jwks();
    expect(kept.map(({ kty }) => kty)).toEqual(['AKP', 'RSA']);
  });
});

// roles-6
describe('a token that names an unknown key', () => {
  // roles-6
  it('causes one request in 30 seconds, during any flood', async () => {
    const known = await keys.current();
    const newer = await keys.newerThan(known);
    expect(newer).not.toBe(known);
    for (let call = 0; call < 1000; call += 1) expect(await keys.newerThan(newer)).toBe(newer);
    expect(keyFetches()).toBe(2);
    clock += UNKNOWN_KEY_MS;
    await Promise.all(Array.from({ length: 100 }, () => keys.newerThan(newer)));
    expect(keyFetches()).toBe(3);
  });
  it('does not lengthen the ten minutes', async () => {
    const known = await keys.current();
    clock += KEYS_FRESH_MS - 1;
    await keys.newerThan(known);
    clock += 1;
    await keys.current();
    expect(asked.filter((address) => address === DISCOVERY)).toHaveLength(2);
  });
  it('gets the newer keys that another token made us fetch', async () => {
    const known = await keys.current();
    const newer = await keys.newerThan(known);
    expect(await keys.newerThan(known)).toBe(newer);
    expect(keyFetches()).toBe(2);
  });
  it('is undecided while the identity provider is down; the known keys stay valid', async () => {
    const known = await keys.current();
    documents = {};
    for (let call = 0; call < 50; call += 1) await expect(keys.newerThan(known)).rejects.toThrow('down');
    expect(keyFetches()).toBe(2);
    expect(await keys.current()).toBe(known);
  });
});

describe('an identity provider with invalid documents', () => {
  it.each([
    [
      'another issuer',
      { [DISCOVERY]: { issuer: `${ISSUER}/`, jwks_uri: ADDRESS } },
      `${DISCOVERY}: its issuer is "${ISSUER}/", and OIDC_ISSUER is "${ISSUER}"; the two must be exactly equal`,
    ],
    [
      'keys in the clear',
      { [DISCOVERY]: { issuer: ISSUER, jwks_uri: 'http://directory:8080/keys' } },
      `${DISCOVERY}: the discovery document is not valid: jwks_uri is not an https address: "http://directory:8080/keys"`,
    ],
    ['keys in a file', { [DISCOVERY]: { issuer: ISSUER, jwks_uri: 'file:///etc/passwd' } }, 'jwks_uri'],
    ['no keys', { [DISCOVERY]: { issuer: ISSUER } }, 'jwks_uri'],
    ['an issuer without end', { [DISCOVERY]: { issuer: 'x'.repeat(9000), jwks_uri: ADDRESS } }, 'issuer Too big'],
    ['a list', { [DISCOVERY]: [] }, 'discovery document'],
    ['a key set that is none', { [ADDRESS]: { keys: 'none' } }, `${ADDRESS}: the key set is not valid: keys Invalid`],
    ['too many keys', { [ADDRESS]: { keys: Array.from({ length: 101 }, () => ({ kty: 'RSA' })) } }, 'key set'],
  ])('%s', async (_, change, sentence) => {
    documents = { ...documents, ...change };
    await expect(keys.current()).rejects.toThrow(sentence);
    await expect(keys.current()).rejects.toBeInstanceOf(IdentityProviderUnreachable);
  });
});

it('reports the result of every fetch, and only that', async () => {
  const reported: (string | null)[] = [];
  keys = createIssuerKeys(
    ISSUER,
    fetchJson,
    () => clock,
    (fault) => reported.push(fault),
  );
  await keys.current();
  await keys.current();
  documents = {};
  clock += KEYS_FRESH_MS;
  for (let call = 0; call < 5; call += 1) await expect(keys.current()).rejects.toThrow('down');
  expect(reported).toEqual([null, 'down']);
});
