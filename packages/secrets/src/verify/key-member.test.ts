import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ask } from '../testing/view.ts';
import { checkKeyMember } from './key-member.ts';
import { FOUND, NO } from './view.ts';

const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });

describe('checkKeyMember', () => {
  it('finds the private part of an elliptic curve key, and of an RSA key', () => {
    for (const { privateKey } of [ec, rsa]) {
      const jwk = privateKey.export({ format: 'jwk' });
      const { verdict, value } = ask(checkKeyMember, '"d"', JSON.stringify(jwk));
      expect(verdict).toBe(FOUND);
      expect(jwk.d?.startsWith(value)).toBe(true);
    }
  });

  it('finds a symmetric key, also in quotes that were escaped', () => {
    const k = Buffer.from(ec.privateKey.export({ format: 'jwk' }).d ?? '')
      .toString('base64url')
      .slice(0, 43);
    expect(ask(checkKeyMember, '"k"', `{"kty":"oct","k":"${k}"}`)).toMatchObject({ verdict: FOUND, value: k });
    expect(ask(checkKeyMember, '\x01k\x01', `{\x01kty\x01:\x01oct\x01,\x01k\x01: \x01${k}\x01}`)).toMatchObject({
      verdict: FOUND,
      value: k,
    });
  });

  it.each([
    '{"a":1,"d":"c2VjcmV0IHZhbHVlcyBhcmUgbm90IGhlcmUgYXQgYWxs"}',
    '{"kty":"EC","d":"short"}',
    '{"kty":"EC","d":12}',
    `{"kty":"EC","d":"${'A'.repeat(43)}"}`,
  ])('is nothing: %s', (text) => {
    expect(ask(checkKeyMember, '"d"', text).verdict).toBe(NO);
  });

  it('says nothing of a public key', () => {
    expect(JSON.stringify(ec.publicKey.export({ format: 'jwk' }))).not.toContain('"d"');
  });
});
