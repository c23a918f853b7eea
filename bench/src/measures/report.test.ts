import { array, assert, double, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { number, type Summary, summaryRows, table } from './report.ts';

describe('a number of a report', () => {
  it('has two digits behind the point, or as many as are asked for', () => {
    expect([number(1 / 3), number(2), number(1234.56, 0), number(-0.005, 1)]).toEqual(['0.33', '2.00', '1235', '-0.0']);
  });

  it('is a dash where nothing was measured', () => {
    expect([Number.NaN, Number.POSITIVE_INFINITY, -1 / 0].map((value) => number(value))).toEqual(['–', '–', '–']);
  });
});

describe('a table', () => {
  it('has names to the left and figures to the right, as wide as the widest', () => {
    expect(
      table(
        '10 callers',
        ['', 'calls/s'],
        [
          ['bare proxy', '12'],
          ['direct', '123456789'],
        ],
      ),
    ).toBe(
      [
        '',
        '10 callers',
        '              calls/s',
        '──────────  ─────────',
        'bare proxy         12',
        'direct      123456789',
      ].join('\n'),
    );
  });

  it('has its heads alone where nothing was measured', () => {
    expect(table('none', ['', 'ms'], []).split('\n')).toEqual(['', 'none', '  ms', '  ──']);
  });

  it('has lines of one length, whatever is in it', () => {
    const cell = string({ unit: 'grapheme-ascii', maxLength: 12 });
    const row = array(cell, { minLength: 3, maxLength: 3 });
    assert(
      property(row, array(row, { maxLength: 5 }), (heads, rows) => {
        const lines = table('title', heads, rows).split('\n').slice(2);
        expect(new Set(lines.map(({ length }) => length)).size).toBe(1);
        expect(lines).toHaveLength(rows.length + 2);
        for (const [at, cells] of rows.entries()) for (const each of cells) expect(lines[at + 2]).toContain(each);
      }),
    );
  });
});

const summary = (value: () => number): Summary => {
  const by = () => ({ 1: value(), 16: value() });
  return {
    ratios: {
      wholeToBare: by(),
      gatewayCpuToBare: by(),
      databaseCpuToBare: by(),
      streamCpuToBare: by(),
      hostedToBare: by(),
      wholeToPortkey: by(),
      streamWholeToBare: by(),
      addedToFloor: value(),
      streamDelayMs: { p50: value(), p99: value() },
      openArrivalMs: { p50: value(), p99: value() },
      grownToEmpty: value(),
      twoProcessesToOne: by(),
    },
    memoryMB: value(),
  };
};
const figuresIn = (value: unknown): number[] =>
  typeof value === 'number' ? [value] : Object.values(value as object).flatMap(figuresIn);

describe('the last table', () => {
  it('has every figure of the file, in its order, and none else', () => {
    let next = 100;
    const whole = summary(() => next++);
    const shown = summaryRows(whole, 300_000).flatMap(([, figures = '']) => figures.split(' / ').map(Number));
    expect(shown).toEqual(figuresIn(whole));
  });

  it('names each of its lines once, and the sizes that were measured', () => {
    const names = summaryRows(
      summary(() => 1),
      300_000,
    ).map(([name]) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toContain('gateway ÷ bare proxy, 16 callers');
    expect(names).toContain('hosted: 300000 records and decisions ÷ empty tables');
  });

  it('has dashes for a peer that was left out, and leaves its line', () => {
    const rows = summaryRows(
      summary(() => Number.NaN),
      1,
    );
    expect(rows.every(([, figure]) => figure === '–' || figure === '– / –')).toBe(true);
  });

  it('shows a rounded figure of what the file has in full', () => {
    assert(
      property(double({ min: 0.01, max: 1000, noNaN: true }), (value) => {
        const [[, first = ''] = []] = summaryRows(
          summary(() => value),
          1,
        );
        expect(Math.abs(Number(first) - value)).toBeLessThanOrEqual(0.005_001);
      }),
    );
  });
});
