import { assert, integer, jsonValue, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { claimsIn } from '../organization/control-plane.ts';
import { expiryOf, hasExpired, isDue } from './kept-credential.ts';

const NOW = new Date('2026-01-02T03:04:05.000Z');
const MINUTE = 60_000;
const tokenOf = (claims: unknown): string => `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.c2ln`;
const after = (milliseconds: number) => ({ expiresAt: new Date(NOW.getTime() + milliseconds).toISOString() });

describe('the expiry of a token', () => {
  it('is its own claim, in seconds', () => {
    assert(
      property(integer({ min: 0, max: 4_000_000_000 }), (exp) => {
        expect(expiryOf(tokenOf({ exp }), NOW)).toEqual(new Date(exp * 1000));
      }),
    );
  });

  it.each([
    ['a claim that is no number', tokenOf({ exp: '1800000000' })],
    ['no claim', tokenOf({})],
    ['a claim beyond every date', tokenOf({ exp: 1e18 })],
    ['claims that are no object', tokenOf([1])],
    ['a text that is no token', 'opaque'],
    ['an empty text', ''],
  ])('is in five minutes for %s', (_, token) => {
    expect(expiryOf(token, NOW).toISOString()).toBe('2026-01-02T03:09:05.000Z');
  });

  it('can be written for any token', () => {
    assert(
      property(jsonValue(), string(), (claims, text) => {
        for (const token of [tokenOf(claims), tokenOf({ exp: claims }), text, `a.${text}.b`]) {
          expect(expiryOf(token, NOW).toISOString()).toMatch(/Z$/);
        }
      }),
    );
  });
});

describe('a token', () => {
  it.each([
    [3 * MINUTE, false, false],
    [2 * MINUTE, false, false],
    [2 * MINUTE - 1, true, false],
    [1, true, false],
    [0, true, true],
    [-MINUTE, true, true],
  ])('that expires in %d ms is due: %j, and has expired: %j', (milliseconds, due, expired) => {
    expect([isDue(after(milliseconds), NOW), hasExpired(after(milliseconds), NOW)]).toEqual([due, expired]);
  });

  it.each(['', 'soon', '2026-13-01'])('whose expiry cannot be read, as %j, is refreshed and not used', (expiresAt) => {
    expect([isDue({ expiresAt }, NOW), hasExpired({ expiresAt }, NOW)]).toEqual([true, true]);
  });
});

describe('the claims of a token', () => {
  it('are those that were written into it, and none of anything else', () => {
    expect(claimsIn(tokenOf({ sub: 'é 漢' }))).toEqual({ sub: 'é 漢' });
    for (const text of ['', 'gwk_key', 'a.b', 'a.b.c.d', 'a.!.c', tokenOf(null), tokenOf('x')]) {
      expect([text, claimsIn(text)['sub']]).toEqual([text, undefined]);
    }
  });
});
