import { describe, expect, it } from 'vitest';
import { dice, draw } from '../../testing/specimen.ts';
import { ask } from '../../testing/view.ts';
import { FOUND, MORE, NO } from '../view.ts';
import { checkCookie, checkJwt, checkNkeySeed } from './jwt.ts';

const encode = (part: unknown): string => Buffer.from(JSON.stringify(part)).toString('base64url');
const signature = draw('A-Za-z0-9_-', 43, dice('jwt'));
const token = [encode({ alg: 'HS256', typ: 'JWT' }), encode({ sub: 'svc', iat: 1 }), signature].join('.');

describe('checkJwt', () => {
  it.each([
    { alg: 'RS256' },
    { typ: 'JWT', alg: 'ES256' },
    { kid: 'a1', alg: 'RS256' },
    { enc: 'A256GCM', alg: 'dir' },
  ])('recognizes a header that decodes: %j', (header) => {
    const text = `${encode(header)}.${encode({ sub: 'svc', iat: 1 })}.${signature}`;
    expect(ask(checkJwt, 'eyJ', `Bearer ${text}`)).toMatchObject({ verdict: FOUND });
    expect(text.startsWith(ask(checkJwt, 'eyJ', `Bearer ${text}`).value)).toBe(true);
  });

  it('continues after the weighed part, through its full stops', () => {
    const { view } = ask(checkJwt, 'eyJ', token);
    expect(view.tail).toMatchObject({ type: 'run' });
    expect(view.tail?.type === 'run' && view.tail.joiners?.[0x2e]).toBe(1);
  });

  it('decides a header that is longer than the evidence', () => {
    const header = encode({ alg: 'RS256', x5c: draw('A-Za-z0-9', 300, dice('x5c')) });
    expect(ask(checkJwt, 'eyJ', header).verdict).toBe(FOUND);
  });

  it.each([
    [encode({ hello: 'world', n: 1 }), 'no header'],
    [`${encode({ name: 'x' })}.${encode({ sub: 'x' })}`, 'another object'],
    [encode({ alg: 'HS256' }), 'a header alone'],
    [`${encode({ alg: 'HS256' })}.e30`, 'an empty body'],
    [`${encode({ alg: 'HS256' })}.AAAAAAAAAAAAAAAA`, 'a body of one letter'],
    [`word${token}`, 'the middle of a word'],
    [
      `${encode({ alg: 'HS256' })}.${encode({ sub: '1234567890', name: 'John Doe', iat: 1 })}.x`,
      'the example of jwt.io',
    ],
    [
      `${encode({ alg: 'HS256' })}.${encode({ iss: 'supabase-demo', role: 'anon' })}.x`,
      'the demonstration of Supabase',
    ],
  ])('is nothing: %s (%s)', (text) => {
    expect(ask(checkJwt, 'eyJ', text).verdict).toBe(NO);
  });

  it('waits, and delays it from its beginning', () => {
    for (const at of [5, 20, token.indexOf('.') + 3]) {
      const { verdict, view } = ask(checkJwt, 'eyJ', `x ${token.slice(0, at)}`, false);
      expect([verdict, view.hold]).toEqual([MORE, 2]);
    }
  });
});

const seed = `SU${draw('A-Z2-7', 56, dice('nkey'))}`;

describe('checkNkeySeed', () => {
  it.each([
    `nkey: ${seed}`,
    `nkey_seed = "${seed}"`,
    `nkey ${seed.replace('SU', 'SA')}`,
    `NKEY=${seed.replace('SU', 'SO')}`,
  ])('finds a seed of any role: %s', (text) => {
    expect(ask(checkNkeySeed, 'nkey', text)).toMatchObject({
      verdict: FOUND,
      value: text.match(/S[UAO][A-Z2-7]{56}/)?.[0],
    });
  });

  it.each([
    `nkey: ${seed.replace('SU', 'SZ')}`,
    `nkey: ${seed.slice(1)}`,
    `nkey: ${seed}A`,
    `nkey: S${'U'.repeat(57)}`,
    `nkey: ${'far '.repeat(13)}${seed}`,
    `monkey: ${seed}`,
    'nkey',
  ])('is nothing: %s', (text) => {
    expect(ask(checkNkeySeed, 'nkey', text).verdict).toBe(NO);
  });

  it('waits, and delays the seed', () => {
    const { verdict, view } = ask(checkNkeySeed, 'nkey', `nkey: ${seed.slice(0, 30)}`, false);
    expect([verdict, view.hold]).toEqual([MORE, 6]);
  });
});

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
