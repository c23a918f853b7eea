import { array, assert, constantFrom, integer, nat, property, string, tuple } from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RecordEntry } from './entry.ts';
import { duration, timeline } from './timeline.ts';

const entry = (sequence: number, at: string, detail: Readonly<Record<string, unknown>> = {}): RecordEntry =>
  ({
    sequence,
    at,
    kind: 'prompt',
    ...detail,
    previous: '0'.repeat(64),
    digest: '0'.repeat(64),
  }) as unknown as RecordEntry;

describe('a duration', () => {
  it.each([
    [0, '0 ms'],
    [999, '999 ms'],
    [1000, '1.0 s'],
    [59_949, '59.9 s'],
    [59_950, '1 m 0 s'],
    [60_000, '1 m 0 s'],
    [119_499, '1 m 59 s'],
    [119_500, '2 m 0 s'],
    [3_599_499, '59 m 59 s'],
    [3_599_500, '1 h 0 m'],
    [86_399_000, '23 h 59 m'],
    [86_400_000, '1 d'],
    [200_000_000, '2 d'],
    [-1, ''],
    [Number.NaN, ''],
  ])('of %d ms is %j', (milliseconds, text) => {
    expect(duration(milliseconds)).toBe(text);
  });

  it('has no unit beyond its end, and never shrinks', () => {
    const unit = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
    const valueOf = (text: string): number =>
      Array.from(
        text.matchAll(/([\d.]+) (ms|s|m|h|d)/g),
        ([, number, name]) => Number(number) * unit[name as 'ms'],
      ).reduce((sum, one) => sum + one, 0);
    assert(
      property(nat({ max: 200_000_000 }), nat({ max: 1_000_000 }), (one, more) => {
        expect(duration(one)).not.toMatch(/\b(?:60 s|60 m|24 h|60\.0 s|1000 ms)/);
        expect(valueOf(duration(one + more))).toBeGreaterThanOrEqual(valueOf(duration(one)));
      }),
      { numRuns: 2000 },
    );
  });
});

describe('a timeline', () => {
  it('is empty without entries', () => {
    expect(timeline([])).toBe('');
  });

  it('names the day where it changes, and how long each entry lasted', () => {
    const entries = [
      entry(9, '2026-01-01T23:59:58.000Z', { text: 'one' }),
      entry(10, '2026-01-01T23:59:59.500Z'),
      entry(11, '2026-01-02T00:00:00.250Z', { target: { kind: 'path', value: 'a.ts' }, list: [1] }),
    ];
    expect(timeline(entries).split('\n')).toEqual([
      '2026-01-01 (UTC)',
      '   9  23:59:58.000     1.5 s  prompt  text: one',
      '  10  23:59:59.500    750 ms  prompt',
      '2026-01-02 (UTC)',
      '  11  00:00:00.250            prompt  target: a.ts, list: [1]',
      '',
    ]);
  });

  it('has one line for each entry, with nothing invisible in it, for any text', () => {
    const text = tuple(string({ unit: 'grapheme' }), constantFrom('', '\n', '\u001b[2J', '\u202e', '\u2028')).map(
      (parts) => parts.join(''),
    );
    assert(
      property(array(text, { minLength: 1, maxLength: 5 }), (texts) => {
        const shown = timeline(texts.map((one, index) => entry(index + 1, '2026-01-01T00:00:00.000Z', { text: one })));
        expect(shown.split('\n')).toHaveLength(texts.length + 2);
        expect(shown.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u2028\u202e]/u);
      }),
    );
  });

  it('shortens long details, and says by how much', () => {
    assert(
      property(integer({ min: 395, max: 1000 }), (length) => {
        const shown = timeline([entry(1, '2026-01-01T00:00:00.000Z', { text: '🔒'.repeat(length) })]);
        const more = /… \((\d+) more characters: --json\)/.exec(shown)?.[1];
        expect(Number(more ?? 0)).toBe(Math.max(0, length + 'text: '.length - 400));
      }),
    );
  });
});
