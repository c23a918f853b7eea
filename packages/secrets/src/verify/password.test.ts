import { describe, expect, it } from 'vitest';
import { isPassword } from './password.ts';

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
