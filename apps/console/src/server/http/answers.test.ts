import { DatabaseUnavailable } from '@gateway/database';
import { describe, expect, it } from 'vitest';
import { within } from './answers.ts';

describe('a budget of time', () => {
  it('passes on a value that arrives in time', async () => {
    expect(await within(10_000, Promise.resolve(7))).toBe(7);
  });
  it('passes a failure on unchanged', async () => {
    await expect(within(10_000, Promise.reject(new TypeError('wrong')))).rejects.toThrow(TypeError);
  });
  it('is the end of waiting for what never comes', async () => {
    await expect(within(5, new Promise(() => {}))).rejects.toThrow(DatabaseUnavailable);
  });
  it('ignores a late result', async () => {
    const late = Promise.withResolvers<number>();
    await expect(within(5, late.promise)).rejects.toThrow(/no answer within 5 ms/);
    late.reject(new Error('nobody listens any more'));
  });
});
