import { describe, expect, it } from 'vitest';
import { sentenceOf } from './run.ts';

const failed = (code: string, message = 'it failed'): Error => Object.assign(new Error(message), { code });

describe('the sentence of a fault', () => {
  it.each([
    ['ECONNREFUSED', 'nothing listens there'],
    ['ENOTFOUND', 'the host name is not known'],
    ['ENOENT', 'there is no such socket'],
    ['EHOSTUNREACH', 'the host cannot be reached'],
    ['ETIMEDOUT', 'it does not answer'],
    ['CONNECT_TIMEOUT', 'it does not answer'],
    ['CONNECTION_CLOSED', 'it closed the connection'],
    ['CONNECTION_DESTROYED', 'the connection was lost'],
  ])('names DATABASE_URL and the cause for %s', (code, cause) => {
    expect(sentenceOf(failed(code))).toBe(`The database of DATABASE_URL cannot be reached: ${cause}.`);
  });

  it('is that of the first address where several were tried', () => {
    const all = new AggregateError([failed('ECONNREFUSED'), failed('EHOSTUNREACH')]);
    expect(sentenceOf(all)).toBe('The database of DATABASE_URL cannot be reached: nothing listens there.');
  });

  it.each([
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'CERT_HAS_EXPIRED',
    'ERR_TLS_CERT_ALTNAME_INVALID',
  ])('is that of a certificate for %s', (code) => {
    expect(sentenceOf(failed(code))).toMatch(/^The database of DATABASE_URL cannot be reached: .+\.$/);
  });

  it.each(['28P01', '28000', '3D000', '53300', '57P03'])(
    'says that the database refuses the connection for %s',
    (code) => {
      expect(sentenceOf(failed(code, 'no'))).toMatch(/^The database of DATABASE_URL refuses the connection: .+\.$/);
    },
  );

  it('says that a pooler refuses the connection', () => {
    const text = sentenceOf(failed('08P01', 'unsupported startup parameter: search_path'));
    expect(text).toMatch(/^The database of DATABASE_URL refuses the connection: /);
  });

  it('names the owner of the database where a right is missing', () => {
    expect(sentenceOf(failed('42501', 'permission denied for table users'))).toBe(
      'permission denied for table users. DATABASE_URL must be the address of the owner of the database.',
    );
  });

  it.each([
    [failed('23505', 'one\n  two\r\nthree'), 'one two three'],
    [failed('X0000', ''), 'X0000'],
    [new TypeError(''), 'TypeError'],
    ['a text', 'a text'],
    [undefined, 'undefined'],
  ])('is one line for any other: %s', (error, sentence) => {
    expect(sentenceOf(error)).toBe(sentence);
  });
});
