import { assert, integer, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dice, draw } from '../testing/specimen.ts';
import { viewOf } from '../testing/view.ts';
import { isMonotonous, isPassword, isPlaceholder, saysSo } from './placeholder.ts';

describe('isPlaceholder', () => {
  it.each([
    'your-api-key-goes-in-this-place',
    'xxxxxxxxxxxxxxxxxxxx',
    'AKIAIOSFODNN7EXAMPLE',
    'REPLACE_ME_WITH_A_TOKEN',
    '00000000000000000000',
    '0123456789abcdef0123',
    'abcdefghijklmnopqrst',
    'abababababababababab',
    'insert-token-here',
    'dummy1a2b3c4d5e6f',
    'a1b2...c3d4',
    'McdZ0Fju-Pnc01gfddGStGJO............WF6kzYw8Gea-AStu90',
    'sk_live_51Hxxxxxxxxxxxxxxxx',
    'dead0000000beef',
    'changeme123',
    'todo_fill_in',
  ])('takes %s for one', (text) => {
    expect(isPlaceholder(viewOf(text), 0, text.length)).toBe(true);
  });

  it('takes no key for one in which some characters follow the alphabet', () => {
    const key = 'AKIAQ3EGRSUVWXYZ2345';
    expect(isPlaceholder(viewOf(key), 4, key.length)).toBe(false);
  });

  it('takes no generated value for one', () => {
    assert(
      property(integer({ min: 1, max: 1e9 }), integer({ min: 20, max: 64 }), (seed, length) => {
        const text = draw('B-DF-HJ-NP-RTV-Z2-9bdfghj-np-rtv-z', length, dice(String(seed)));
        expect(saysSo(text)).toBe(false);
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    'nJ8tXXxx2VbQm4Lr9Zc7Kd3W',
    'q0y35NbKWo9qX1GGOoEBVnErsxmrQGDlE40V-here',
    'fixmeR8kZ2vQ7mT4xB9nL1pS6',
    '8f14e45fceea167a5a36dedd4bea254300000',
    'QhA4OzOZMIVC7fRD3TTTTTf95VYF8',
  ])('takes no generated value for one because of a short word or row in it: %s', (text) => {
    expect(isPlaceholder(viewOf(text), 0, text.length)).toBe(false);
  });
});

describe('isMonotonous', () => {
  const monotonous = (text: string): boolean => isMonotonous(Buffer.from(text), 0, text.length);

  it.each([
    'aaaaaaaaaaaaaaaa',
    'AAAAABBBBBCCCCC',
    '123456789012345678',
    'abcdefghijkl',
    'aAaAaAaAaAaAaAaA',
    '01010101010101',
  ])('is true of %s', (text) => {
    expect(monotonous(text)).toBe(true);
  });

  it.each(['k7Qz9mW2xTp4Lr8v', '8f14e45fceea167a5a36dedd4bea2543', 'QUJDREVGR0hJSktMTU5P'])(
    'is false of %s',
    (text) => {
      expect(monotonous(text)).toBe(false);
    },
  );

  it('looks at the given bytes only', () => {
    const text = `k7Qz9mW2xTp4Lr8v${'a'.repeat(30)}`;
    expect(isMonotonous(Buffer.from(text), 0, 16)).toBe(false);
    expect(isMonotonous(Buffer.from(text), 16, 46)).toBe(true);
  });
});

describe('isPassword', () => {
  it.each([
    'k7Qz9mW2xT',
    'tr4vErs3Kd9',
    'x9!kQ_v2',
    'zqxjkvbwpf',
    'gZ9!r4nXcz*Q96',
    '6714ff10f07a7545478b8e19066c7060',
  ])('takes %s for one', (text) => {
    expect(isPassword(text, 'svc', 3.6)).toBe(true);
  });

  it.each([
    ['abcd', 'short'],
    ['svc-user', 'the name of the user'],
    ['SVC-USER', 'the name of the user, in capitals'],
    ['password', 'a word of documentation'],
    ['Password123!', 'the same, with digits and marks'],
    ['my-secret-password', 'made of such words'],
    ['your_password_here', 'a placeholder'],
    ['{{ password }}', 'a template'],
    ['$DB_PASSWORD', 'a variable'],
    ['${DB_PASSWORD}', 'a variable'],
    ['%DB_PASS%', 'a variable of Windows'],
    ['DB_PASSWORD', 'the name of a variable'],
    ['<password>', 'a placeholder'],
    ['********', 'hidden'],
    ['k7Qz9**', 'hidden except its beginning'],
    ['*k7Qz9mW2xT', 'an alias of YAML'],
    ['k7Qz9mW2xT*', 'a pattern'],
    ['0123456789abcdef0123456789abcdef', 'hexadecimal digits in a row'],
    ['aaaaaaaa', 'one letter'],
    ['12345', 'a port'],
    ['connection', 'a word'],
  ])('does not take %s for one: %s', (text) => {
    expect(isPassword(text, 'svc-user', 3.6)).toBe(false);
  });

  it('requires the given entropy', () => {
    expect(isPassword('traverse9', 'svc', 3)).toBe(true);
    expect(isPassword('traverse9', 'svc', 6)).toBe(false);
  });
});
