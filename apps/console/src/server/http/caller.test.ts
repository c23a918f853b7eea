import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readProof } from './caller.ts';

const read = (headers: Record<string, string>) => readProof(new Headers(headers));
const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

describe('a proof', () => {
  it.each([
    ['nothing', {}],
    ['empty headers', { authorization: '', 'x-api-key': '' }],
    ['blank headers', { authorization: '  ', 'x-api-key': ' ' }],
    ['a scheme without a value', { authorization: 'Bearer' }],
    ['a scheme and a space', { authorization: 'Basic ' }],
  ])('is none in %s', (_, headers) => {
    expect(read(headers)).toBeNull();
  });
  it.each([
    [{ authorization: 'Bearer key' }, 'key'],
    [{ authorization: 'bearer key' }, 'key'],
    [{ authorization: 'BEARER   key' }, 'key'],
    [{ 'x-api-key': 'key' }, 'key'],
    [{ 'x-api-key': '  key ' }, 'key'],
    [{ authorization: '', 'x-api-key': 'key' }, 'key'],
    [{ authorization: 'Bearer', 'x-api-key': 'key' }, 'key'],
    [{ authorization: 'Bearer one', 'x-api-key': 'other' }, 'one'],
  ])('is a key in %j', (headers, key) => {
    expect(read(headers)).toEqual({ kind: 'key', key });
  });
  it.each([
    ['operator:pass', 'operator', 'pass'],
    ['operator:', 'operator', ''],
    [':pass', '', 'pass'],
    ['operator:a:b:c', 'operator', 'a:b:c'],
    ['opérateur:mot de passe', 'opérateur', 'mot de passe'],
    [`urn:uuid:1:gwk_${'0a'.repeat(24)}`, 'urn:uuid:1', `gwk_${'0a'.repeat(24)}`],
    [`operator:a:gwk_${'0a'.repeat(23)}`, 'operator', `a:gwk_${'0a'.repeat(23)}`],
  ])('is a pair in Basic %s', (text, user, password) => {
    expect(read({ authorization: basic(text) })).toEqual({ kind: 'pair', user, password });
  });
  it.each([
    'Digest x',
    'Negotiate YII=',
    'key',
    'gwk_0123',
    basic('no colon'),
    'Basic !!!!',
    ...['xBearer', 'Bearers', 'xBasic', 'Basics', 'Digest'].map((scheme) => basic('a:b').replace('Basic', scheme)),
    'xBearer',
    'Basics',
  ])('cannot be used in %s', (authorization) => {
    expect(read({ authorization })).toEqual({ kind: 'unusable' });
  });
  it('in a header that cannot be used is not passed over for a key beside it in silence', () => {
    expect(read({ authorization: basic('a:b'), 'x-api-key': 'key' })).toMatchObject({ kind: 'pair' });
  });
  it('of any pair is read back as it was written', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (user, password) => {
        fc.pre(!user.includes(':') && user.isWellFormed() && password.isWellFormed());
        expect(read({ authorization: basic(`${user}:${password}`) })).toEqual({ kind: 'pair', user, password });
      }),
      { verbose: true },
    );
  });
});
