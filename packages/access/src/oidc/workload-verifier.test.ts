import * as fc from 'fast-check';
import { createLocalJWKSet, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { WORKLOAD_CLAIMS, WORKLOAD_RULES } from '../testing/workloads.ts';
import type { IssuerKeys } from './keys.ts';
import { claimAt, claimMatches, parseWorkloadRules, subjectOf, type WorkloadRule } from './workload-rules.ts';
import { createFileKeys, createWorkloadVerifier, readIssuer } from './workloads.ts';

const AT = Date.parse('2026-06-01T12:00:00Z');
const AUDIENCE = 'https://gateway.example';
type Pair = { readonly private: Awaited<ReturnType<typeof generateKeyPair>>['privateKey']; readonly public: JWK };
let platform: Pair;
let other: Pair;

async function pair(kid: string): Promise<Pair> {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
  return { private: privateKey, public: { ...(await exportJWK(publicKey)), kid, alg: 'RS256', use: 'sig' } };
}
const setOf = (...keys: readonly JWK[]) => createLocalJWKSet({ keys: [...keys] });
const fixed = (set: ReturnType<typeof setOf>): IssuerKeys => ({
  current: async () => set,
  newerThan: async () => set,
});

beforeAll(async () => {
  [platform, other] = await Promise.all([pair('one'), pair('two')]);
});

type Name = keyof typeof WORKLOAD_RULES;
function rulesOf(...entries: readonly object[]): readonly WorkloadRule[] {
  const parsed = parseWorkloadRules(JSON.stringify({ workloads: entries }));
  if ('faults' in parsed) throw new Error(parsed.faults.join('\n'));
  return parsed.rules;
}

async function tokenOf(name: Name, change: Readonly<Record<string, unknown>> = {}, key = platform): Promise<string> {
  const times = { iat: AT / 1000 - 10, nbf: AT / 1000 - 10, exp: AT / 1000 + 290 };
  const claims = { ...WORKLOAD_CLAIMS[name], iss: WORKLOAD_RULES[name].issuer, aud: AUDIENCE, ...times, ...change };
  const kept = Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== undefined));
  return new SignJWT(kept)
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid: key.public.kid ?? '' })
    .sign(key.private);
}

async function verdictOn(name: Name, change = {}, rules: readonly object[] = [WORKLOAD_RULES[name]], key = platform) {
  const verify = createWorkloadVerifier(rulesOf(...rules), fixed(setOf(platform.public)), () => AT);
  return verify(await tokenOf(name, change, key));
}

describe('a token of a platform', () => {
  it.each([
    ['github', 'workload:github:acme/app@refs/heads/main'],
    ['gitlab', 'workload:gitlab:acme/app@main'],
    ['kubernetes', 'workload:cluster-1:ci:builder'],
  ] as const)('%s names %s', async (name, subject) => {
    expect(await verdictOn(name)).toEqual({ ok: true, subject });
  });

  it.each([
    ['github', { aud: 'https://another.example' }, 'token-audience'],
    ['github', { ref: 'refs/heads/feature' }, 'token-claims'],
    ['github', { repository_owner_id: '999' }, 'token-claims'],
    ['github', { repository_owner_id: undefined }, 'token-claims'],
    ['github', { iat: undefined }, 'token-claims'],
    ['github', { iat: AT / 1000 - 961 }, 'token-expired'],
    ['github', { iat: AT / 1000 + 120 }, 'token-not-yet-valid'],
    ['github', { exp: AT / 1000 - 61 }, 'token-expired'],
    ['github', { exp: undefined }, 'token-claims'],
    ['github', { nbf: AT / 1000 + 100 }, 'token-not-yet-valid'],
    ['github', { iss: 'https://evil.example' }, 'token-issuer'],
    ['github', { repository: 'acme/a pp' }, 'token-claims'],
    ['github', { repository: '' }, 'token-claims'],
    ['github', { repository: 'x'.repeat(300) }, 'token-claims'],
    ['gitlab', { ref_protected: 'false' }, 'token-claims'],
    ['kubernetes', { 'kubernetes.io': { namespace: 'default', serviceaccount: { name: 'builder' } } }, 'token-claims'],
    ['kubernetes', { 'kubernetes.io': 'ci' }, 'token-claims'],
  ] as const)(
    '%s that is not as required is refused, and none of its values repeated: %j',
    async (name, change, reason) => {
      const verdict = await verdictOn(name, change);
      expect(verdict).toMatchObject({ ok: false, reason });
      expect(JSON.stringify(verdict)).not.toMatch(/acme|evil|feature/);
    },
  );

  it('signed by another key is refused', async () => {
    expect(await verdictOn('github', {}, undefined, other)).toMatchObject({ ok: false, reason: 'token-signature' });
  });

  it('is accepted by the first rule that fits it', async () => {
    const { github } = WORKLOAD_RULES;
    const rules = [
      { ...github, claims: { repository: 'acme/other' }, subject: 'workload:github:other' },
      { ...github, audience: 'https://two.example', subject: 'workload:github:two' },
      { ...github, claims: { repository: 'acme/*' }, subject: 'workload:github:any' },
      github,
    ];
    expect(await verdictOn('github', {}, rules)).toEqual({ ok: true, subject: 'workload:github:any' });
    expect(await verdictOn('github', { aud: ['https://two.example', 'x'], ref: 'refs/tags/v1' }, rules)).toEqual({
      ok: true,
      subject: 'workload:github:two',
    });
    expect(await verdictOn('github', { repository: 'acme/x/y', ref: 'refs/heads/x' }, rules)).toMatchObject({
      ok: false,
    });
  });

  it('of an issuer whose keys are in a file is verified with a key added to it later, read once per half minute', async () => {
    let text = JSON.stringify({ keys: [other.public] });
    let reads = 0;
    let at = AT;
    const observed: (string | null)[] = [];
    const read = () => {
      reads += 1;
      return text;
    };
    const keys = createFileKeys(
      read,
      setOf(other.public),
      () => at,
      (fault) => observed.push(fault),
    );
    const verify = createWorkloadVerifier(rulesOf(WORKLOAD_RULES.kubernetes), keys, () => AT);
    const token = await tokenOf('kubernetes');
    expect(await verify(token)).toMatchObject({ reason: 'token-signature' });
    expect(await verify(token)).toMatchObject({ ok: false });
    expect(reads).toBe(1);
    text = JSON.stringify({ keys: [other.public, platform.public] });
    at += 31_000;
    expect(await verify(token)).toMatchObject({ ok: true });
    text = 'broken';
    at += 31_000;
    expect(await verify(await tokenOf('kubernetes', {}, await pair('three')))).toMatchObject({
      reason: 'directory-unreachable',
    });
    expect(observed).toEqual([null, null, 'the file is not JSON']);
    expect(await verify(token)).toMatchObject({ ok: true });
  });
});

describe('the subject', () => {
  it('distinguishes any two sets of values', () => {
    const value = fc.string({ unit: fc.constantFrom('a', '@', ':', '%', '/', '4', '0'), minLength: 1, maxLength: 6 });
    const of = (repository: string, ref: string) =>
      JSON.stringify(subjectOf('workload:github:{repository}@{ref}', { repository, ref }));
    const isUnlike = fc.property(
      value,
      value,
      value,
      value,
      (a, b, c, d) => (a === c && b === d) === (of(a, b) === of(c, d)),
    );
    expect(fc.check(isUnlike)).toMatchObject({ failed: false });
  });
});

describe('a pattern', () => {
  it.each([
    ['refs/heads/*', 'refs/heads/main', true],
    ['refs/heads/*', 'refs/heads/a/b', false],
    ['refs/heads/**', 'refs/heads/a/b', true],
    ['a.c', 'abc', false],
    ['acme', 'acme\n', false],
    ['true', true, true],
    ['7', 7, true],
    ['ops', ['dev', 'ops'], true],
    ['ops', [['ops']], false],
    ['*', { a: 1 }, false],
    ['*', null, false],
    ['**', 'x'.repeat(1001), false],
  ])('%s on %j: %s', (pattern, value, expected) => {
    expect(claimMatches(value, pattern)).toBe(expected);
  });

  it('finds claims by name before it looks into objects, and no inherited ones', () => {
    expect(claimAt({ 'a/b': 1, a: { b: 2 } }, 'a/b')).toBe(1);
    expect(claimAt({ a: { 'b/c': { d: 3 } } }, 'a/b/c/d')).toBe(3);
    expect(claimAt({ a: {} }, 'a/constructor')).toBeUndefined();
    expect(claimAt({}, 'toString')).toBeUndefined();
  });
});

describe('the issuer that a token names', () => {
  it.each([
    '',
    'a.b',
    'a.b.c',
    'a..c',
    `a.${Buffer.from('7').toString('base64url')}.c`,
    `a.${Buffer.from('{"iss":7}').toString('base64url')}.c`,
  ])('is none in %j', (token) => {
    expect(readIssuer(token)).toBeNull();
  });
});
