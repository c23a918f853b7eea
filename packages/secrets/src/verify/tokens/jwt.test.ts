import { describe, expect, it } from 'vitest';
import { dice, draw } from '../../testing/specimen.ts';
import { ask } from '../../testing/view.ts';
import { FOUND, MORE, NO } from '../view.ts';
import { checkJwt } from './jwt.ts';

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
