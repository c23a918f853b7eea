import { describe, expect, it } from 'vitest';
import { Output } from './exit.ts';

describe('output', () => {
  it('is what was added, in order, once', () => {
    const output = new Output();
    output.add(Buffer.from('one '));
    output.add(Buffer.from(''));
    output.add(Buffer.from('two'));
    expect(Buffer.from(output.take()).toString()).toBe('one two');
    expect(output.take()).toHaveLength(0);
  });

  it('copies nothing where the pieces are neighbours', () => {
    const bytes = Buffer.from('all of this is one piece of memory');
    const output = new Output();
    for (let at = 0; at < bytes.length; at += 5) output.add(bytes.subarray(at, at + 5));
    const taken = output.take();
    expect(taken).toEqual(bytes);
    expect([taken.buffer, taken.byteOffset]).toEqual([bytes.buffer, bytes.byteOffset]);
  });

  it('joins parts of one memory only where nothing is between them', () => {
    const bytes = Buffer.from('abcdef');
    const output = new Output();
    output.add(bytes.subarray(3, 6));
    output.add(bytes.subarray(0, 2));
    output.add(bytes.subarray(2, 3));
    expect(Buffer.from(output.take()).toString()).toBe('defabc');
  });
});
