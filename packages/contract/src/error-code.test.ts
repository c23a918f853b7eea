import { describe, expect, it } from 'vitest';
import { errorCode, errorMessage, firstError } from './error-code.ts';

const refused = Object.assign(new Error('connect ECONNREFUSED ::1:80'), { code: 'ECONNREFUSED' });

describe('the code of an error', () => {
  it('is that of the operating system or of a library', () => {
    expect(errorCode(refused)).toBe('ECONNREFUSED');
  });
  it.each([
    [new Error('x')],
    [Object.assign(new Error('x'), { code: 23 })],
    ['ENOENT'],
    [null],
    [undefined],
    [{ code: 'X' }],
  ])('is empty for %o', (error) => {
    expect(errorCode(error)).toBe('');
  });
  it('is that of the first address where several were tried', () => {
    const all = new AggregateError([refused, new Error('another')]);
    expect(errorCode(all)).toBe('ECONNREFUSED');
    expect(firstError(all)).toBe(refused);
    expect(errorCode(new AggregateError([]))).toBe('');
  });
  it('is its own where an error about several addresses holds none', () => {
    expect(errorCode(Object.assign(new AggregateError([]), { code: 'ETIMEDOUT' }))).toBe('ETIMEDOUT');
  });
});

it('the message of what was thrown is that of an error, or the text of any other value', () => {
  expect([errorMessage(refused), errorMessage('late'), errorMessage(null)]).toEqual([refused.message, 'late', 'null']);
});
