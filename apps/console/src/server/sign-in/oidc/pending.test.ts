import { describe, expect, it } from 'vitest';
import { beginSignIn, resumeSignIn } from './pending.ts';

describe('a sign-in', () => {
  it('has a secret, a state, a nonce and a verifier, none of which reveals another', () => {
    const begun = beginSignIn(null);
    const words = [begun.cookie, begun.state, begun.nonce, begun.verifier, begun.digest.toString('base64url')];
    for (const word of words) expect(word).toMatch(/^[\w-]{43}$/);
    expect(new Set(words).size).toBe(words.length);
  });
  it('is another one every time', () => {
    const states = Array.from({ length: 200 }, () => beginSignIn(null).state);
    expect(new Set(states).size).toBe(states.length);
  });
  it('is resumed by the browser that began it', () => {
    const begun = beginSignIn(null);
    expect(resumeSignIn(begun.cookie, begun.state)).toEqual(begun);
  });
  it.each([
    ['no cookie', undefined, (state: string) => state],
    ['no state', 'own', () => null],
    ['an empty state', 'own', () => ''],
    ['a longer state', 'own', (state: string) => `${state}x`],
    ['a state in other letters', 'own', (state: string) => state.toUpperCase()],
    ['the cookie of another login', 'other', (state: string) => state],
    ['a cookie that is none', 'x', (state: string) => state],
    ['an empty cookie', '', (state: string) => state],
  ])('is not resumed with %s', (_, cookie, change) => {
    const begun = beginSignIn(null);
    const secret = cookie === 'own' ? begun.cookie : cookie === 'other' ? beginSignIn(null).cookie : cookie;
    expect(resumeSignIn(secret, change(begun.state))).toBeNull();
  });
  it('keeps its return location, and is not resumed with another location in its cookie', () => {
    const begun = beginSignIn('/#audit');
    expect(resumeSignIn(begun.cookie, begun.state)).toEqual(begun);
    const [secret = ''] = begun.cookie.split('.');
    const elsewhere = Buffer.from('/audit').toString('base64url');
    for (const cookie of [
      secret,
      `${secret}.`,
      `${secret}.${elsewhere}`,
      `${begun.cookie}.x`,
      `${begun.cookie}=`,
      `x${begun.cookie}`,
    ])
      expect(resumeSignIn(cookie, begun.state)).toBeNull();
    const plain = beginSignIn(null);
    expect(resumeSignIn(`${plain.cookie}.${elsewhere}`, plain.state)).toBeNull();
  });
});
