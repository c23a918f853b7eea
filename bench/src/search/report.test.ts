import { describe, expect, it } from 'vitest';
import type { Quality } from './quality.ts';
import { contestTable, speedLine, variationTable } from './report.ts';

const QUALITY: Quality = {
  right1: 0.7512,
  right5: 0.93,
  mrr: 0.8204,
  section5: 2 / 3,
  falseAnswered: 0,
  acceptedAnswerable: 1,
  offTopicAnswered: 3,
};
const cells = (text: string, beginning: string): string[] =>
  (text.split('\n').find((line) => line.startsWith(beginning)) ?? '')
    .slice(20)
    .trim()
    .split(/\s{2,}/);

describe('the figures of search', () => {
  const table = contestTable([
    { name: 'this gateway', quality: QUALITY },
    { name: 'another', quality: { ...QUALITY, right1: 0.5 } },
  ]);

  it('have a column for each contestant, and one for what is required', () => {
    expect(cells(table, ' ')).toEqual(['this gateway', 'another', 'must · aim']);
    expect(cells(table, 'right page first')).toEqual(['75.1 %', '50.0 %', '68 % · 75 %']);
  });

  it.each([
    ['among five', '93.0 %'],
    ['MRR', '0.820'],
    ['section among five', '66.7 %'],
    ['false answers', '0.0 %'],
    ['accepted', '100.0 %'],
    ['off-topic answered', '3'],
  ])('show %s as a share, a rank or a count: %s', (title, value) => {
    expect(cells(table, title)[0]).toBe(value);
  });

  it('are aligned, so that a column can be read from top to bottom', () => {
    const widths = table.split('\n').map((line) => line.length);
    expect(new Set(widths.filter((width) => width > 0)).size).toBe(1);
  });

  it('show every way to ask otherwise in a line, without the count of off-topic questions', () => {
    const text = variationTable([
      { name: 'with typing errors', quality: QUALITY },
      { name: 'in capitals', quality: { ...QUALITY, mrr: 0.5 } },
    ]);
    expect(cells(text, 'asked otherwise')).toHaveLength(6);
    expect(cells(text, 'with typing errors')).toEqual(['75.1 %', '93.0 %', '0.820', '66.7 %', '0.0 %', '100.0 %']);
    expect(cells(text, 'in capitals')[2]).toBe('0.500');
  });

  it('name the corpus, its size, and the speed beside what is required', () => {
    const speed = { p50ms: 1.234, p95ms: 4, indexMs: 512.6, memoryMB: 41.4 };
    const text = speedLine('kernel', 2_460_000, speed);
    expect(text).toContain('2.5 MB (kernel): query p50 1.23 ms, p95 4.00 ms (must 3 · 10');
    expect(text).toMatch(/first answer 513 ms \(must 1500.*; 41 MB \(must 60\)\n$/);
  });
});
