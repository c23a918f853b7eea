import { describe, expect, it } from 'vitest';
import { createScanner } from '../../scanner/scanner.ts';
import { rsaKey } from '../../testing/rsa-key.ts';
import { dice, draw } from '../../testing/specimen.ts';
import { ask } from '../../testing/view.ts';
import { FOUND, MORE, NO } from '../view.ts';
import { checkKeyMember, checkRegistryAuth } from './key-member.ts';

const roll = dice('a JSON Web Key');
const scalar = () => draw('A-Za-z0-9_-', 43, roll);
const ec = { kty: 'EC', x: scalar(), y: scalar(), crv: 'P-256', d: scalar() };
const rsa = rsaKey(2048);

describe('checkKeyMember', () => {
  it('finds the private part of an elliptic curve key, and of an RSA key', () => {
    for (const jwk of [ec, rsa]) {
      const { verdict, value } = ask(checkKeyMember, '"d"', JSON.stringify(jwk));
      expect(verdict).toBe(FOUND);
      expect(value).toBe(jwk.d.slice(0, 104));
    }
  });

  it('finds a symmetric key, also in quotes that were escaped', () => {
    const k = scalar();
    expect(ask(checkKeyMember, '"k"', `{"kty":"oct","k":"${k}"}`)).toMatchObject({ verdict: FOUND, value: k });
    expect(ask(checkKeyMember, '\x01k\x01', `{\x01kty\x01:\x01oct\x01,\x01k\x01: \x01${k}\x01}`)).toMatchObject({
      verdict: FOUND,
      value: k,
    });
  });

  it.each([
    ['k', '', '"kty":"oct"'],
    ['k', '"ext":true,', '"key_ops":["encrypt","decrypt"],"kty":"oct"'],
    ['k', '"kid":"2026-01",', '"use":"enc","alg":"A256GCM"'],
    ['d', '', '"kty":"OKP","crv":"Ed25519"'],
  ])('finds a key whose private member "%s" precedes those that identify it', (name, before, after) => {
    const value = scalar();
    for (const text of [
      `{${before}"${name}":"${value}",${after}}`,
      `{${before}"${name}": "${value}",\n  ${after}\n}`,
    ]) {
      expect(ask(checkKeyMember, `"${name}"`, text)).toMatchObject({ verdict: FOUND, value });
      const from = text.indexOf(value);
      const answers = Array.from({ length: text.length - from }, (_, more) => {
        const { verdict, view } = ask(checkKeyMember, `"${name}"`, text.slice(0, from + more), false);
        return verdict === NO || (verdict === MORE && view.hold > from);
      });
      expect(answers).not.toContain(true);
    }
  });

  it.each([
    `{"k":"${scalar()}"},{"kty":"oct"}`,
    `{"k":"${scalar()}","n":1},{"kty":"oct"}`,
    `{"k":"${scalar()}","v":{"kty":"oct"}}`,
    `{"k":"${scalar()}", ${'"n":1,'.repeat(40)} "kty":"oct"}`,
  ])('takes nothing of another object, or far behind, for what a member is: %s', (text) => {
    expect(ask(checkKeyMember, '"k"', text).verdict).toBe(NO);
  });

  const members = ['p', 'q', 'd', 'qi', 'dp', 'dq'] as const;

  it.each([
    ['as programs write it', ['kty', 'n', 'e', 'd', 'p', 'q', 'dp', 'dq', 'qi']],
    ['as generators do', ['p', 'kty', 'q', 'd', 'e', 'use', 'qi', 'dp', 'alg', 'dq', 'n']],
    ['in alphabetical order', ['alg', 'd', 'dp', 'dq', 'e', 'ext', 'kty', 'n', 'p', 'q', 'qi']],
  ])('finds all private members of an RSA key %s, on one line and on several', (_, order) => {
    const jwk = { ...rsa, use: 'sig', alg: 'RS256', ext: true };
    const sorted = Object.fromEntries(order.map((name) => [name, jwk[name as keyof typeof jwk]]));
    for (const text of [JSON.stringify(sorted), JSON.stringify(sorted, null, 2)]) {
      for (const name of members) {
        const { verdict, value } = ask(checkKeyMember, `"${name}"`, text);
        expect(verdict).toBe(FOUND);
        expect(value).toBe(jwk[name]?.slice(0, 104));
      }
    }
  });

  it.each([
    `{"p":"${'all-of-these-are-words-that-somebody-wrote-'.repeat(3)}"}`,
    `{"q":"${'k7Qz9mW2xT'.repeat(8)}"}`,
    `{"qi":"${'k7Qz9mW2xTbR4vN8'.repeat(6)}+/"}`,
    `{"dp":"${'A'.repeat(171)}"}`,
  ])('is nothing: %s', (text) => {
    expect(ask(checkKeyMember, /"\w+"/.exec(text)?.[0] ?? '', text).verdict).toBe(NO);
  });

  it.each([
    '{"a":1,"d":"c2VjcmV0IHZhbHVlcyBhcmUgbm90IGhlcmUgYXQgYWxs"}',
    '{"kty":"EC","d":"short"}',
    '{"kty":"EC","d":12}',
    `{"kty":"EC","d":"${'A'.repeat(43)}"}`,
  ])('is nothing: %s', (text) => {
    expect(ask(checkKeyMember, '"d"', text).verdict).toBe(NO);
  });

  it('ignores a public key', () => {
    const scanner = createScanner({ key: Buffer.from('a JSON Web Key') });
    const { kty, n, e } = rsa;
    const { d: _, ...open } = ec;
    for (const jwk of [{ kty, n, e }, open]) expect(scanner.scanText(JSON.stringify(jwk))).toEqual([]);
  });
});

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const value = base64(`svc:${draw('A-Za-z0-9', 20, dice('registry'))}`);

describe('checkRegistryAuth', () => {
  it.each([`{"auths":{"r.example.org":{"auth":"${value}"}}}`, `"auth" : "${value}"`])('finds %s', (text) => {
    expect(ask(checkRegistryAuth, '"auth"', text)).toMatchObject({ verdict: FOUND, value });
  });

  it.each([
    `"auth":"${base64('user:password')}"`,
    `"auth":"${base64('no colon in this one at all')}"`,
    '"auth":"basic"',
    '"auth":true',
    '"auth","x"',
    `"auth":"${base64(':')}"`,
  ])('is nothing: %s', (text) => {
    expect(ask(checkRegistryAuth, '"auth"', text).verdict).toBe(NO);
  });

  it('waits, and delays the value', () => {
    const { verdict, view } = ask(checkRegistryAuth, '"auth"', '"auth": "c3Z', false);
    expect([verdict, view.hold]).toEqual([MORE, 9]);
  });
});
