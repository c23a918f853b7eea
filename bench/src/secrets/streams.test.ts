import { createScanner } from '@gateway/secrets';
import { assert, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deltasOf, measureStreams } from './streams.ts';

describe('the deltas of a measured stream', () => {
  it('are together the text', () => {
    assert(
      property(string({ unit: 'grapheme', maxLength: 30 }), (text) => {
        expect(deltasOf(text).join('')).toBe(text);
      }),
    );
  });

  it('are short, as tokens of a model are', () => {
    expect(deltasOf('const answer = 12345;\n\nreturn it')).toEqual([
      'const',
      ' answe',
      'r',
      ' ',
      '=',
      ' 123',
      '45',
      ';',
      '\n\n',
      'retur',
      'n',
      ' it',
    ]);
  });
});

describe('the measurement of streams', () => {
  const scanner = createScanner({ key: Buffer.from('x') });

  it('says that nothing waits where nothing can be a secret', () => {
    const { heldMost, deltasDelayed, mbPerSecond } = measureStreams(scanner, ['so it is. '.repeat(20)]);
    expect([heldMost, deltasDelayed]).toEqual([0, 0]);
    expect(mbPerSecond).toBeGreaterThan(0);
  });

  it('says how much waits, and how often, where something could be one', () => {
    const figures = measureStreams(scanner, ['so it is. password = "Zk3', 'so it is. '.repeat(50)]);
    expect(figures.heldMost).toBeGreaterThan(0);
    expect(figures.heldMost).toBeLessThan(30);
    expect(figures.deltasDelayed).toBeGreaterThan(0);
    expect(figures.deltasDelayed).toBeLessThan(0.2);
    expect(figures.heldMean).toBeLessThan(figures.heldP99 + figures.heldMost);
  });
});
