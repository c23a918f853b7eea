import { describe, expect, it } from 'vitest';
import { dice, draw } from '../../testing/specimen.ts';
import { ask } from '../../testing/view.ts';
import { FOUND, NO } from '../view.ts';
import { checkCookie } from './cookie.ts';

const roll = dice('cookie');
const value = draw('A-Za-z0-9', 32, roll);
const hex = draw('0-9a-f', 32, roll);

describe('checkCookie', () => {
  it.each([
    [`Cookie: theme=dark; session=${value}; x=1`, 'session=', value],
    [`Set-Cookie: sid=${hex}; Path=/; HttpOnly`, 'sid=', hex],
    [`curl -b "PHPSESSID=${value}" https://h`, 'sessid=', value],
    [`http://h/page;jsessionid=${hex}?x`.replace('?x', ' x'), 'sessionid=', hex],
    [`connect.sid=s%3A${value}.${value}`, 'sid=', `s%3A${value}.${value}`],
    [`Cookie: ASPSESSIONIDCQBTRQCB=${value}`, 'aspsessionid', value],
    [`document.cookie = "session_id=${value}"`, 'session_id=', value],
  ])('finds the value: %s', (text, keyword, found) => {
    expect(ask(checkCookie, keyword, text)).toMatchObject({ verdict: FOUND, value: found });
  });

  it.each([
    [`session=${value}`, 'session=', 'no word of cookies'],
    ['Cookie: session=abc123', 'session=', 'short'],
    ['Set-Cookie: session=someVeryLongIdentifierOfWords', 'session=', 'words'],
    [`Cookie: session=${'x'.repeat(32)}`, 'session=', 'a placeholder'],
    ['Cookie: session=<your session>', 'session=', 'a template'],
    ['Cookie: sid=0123456789', 'sid=', 'a number'],
    [`Cookie: ASPSESSIONID and ${value}`, 'aspsessionid', 'no value'],
  ])('is nothing in %s: %s %s', (text, keyword) => {
    expect(ask(checkCookie, keyword, text).verdict).toBe(NO);
  });

  it('decides a long one by its beginning, and returns how it continues', () => {
    const { verdict, view } = ask(checkCookie, 'session=', `Cookie: session=${value.repeat(5)}`, false);
    expect([verdict, view.tail?.type]).toEqual([FOUND, 'run']);
  });

  it('waits, and delays the value', () => {
    const text = 'Cookie: session=';
    expect(ask(checkCookie, 'session=', `${text}a9`, false).view.hold).toBe(text.length);
  });
});
