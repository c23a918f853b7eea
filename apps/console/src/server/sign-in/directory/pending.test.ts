import { describe, expect, it } from 'vitest';
import { beginSignIn, resumeSignIn } from './pending.ts';

describe('a sign-in', () => {
  it('has a secret, a state, a nonce and a verifier, none of which tells another', () => {
    const begun = beginSignIn();
    const words = [begun.secret, begun.state, begun.nonce, begun.verifier, begun.digest.toString('base64url')];
    for (const word of words) expect(word).toMatch(/^[\w-]{43}$/);
    expect(new Set(words).size).toBe(words.length);
  });
  it('is another one every time', () => {
    const states = Array.from({ length: 200 }, () => beginSignIn().state);
    expect(new Set(states).size).toBe(states.length);
  });
  it('is resumed by the browser that began it', () => {
    const begun = beginSignIn();
    expect(resumeSignIn(begun.secret, begun.state)).toEqual(begun);
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
    const begun = beginSignIn();
    const secret = cookie === 'own' ? begun.secret : cookie === 'other' ? beginSignIn().secret : cookie;
    expect(resumeSignIn(secret, change(begun.state))).toBeNull();
  });
});
