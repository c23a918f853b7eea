import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { graphemesOf, type Line, lineWidth, plainText, type Span, span, truncate } from './line.ts';
import { wrapCharacters, wrapWords } from './wrap.ts';

const BOLD = { bold: true };
const WORDS = fc.string({
  unit: fc.constantFrom('a', 'b', ' ', ' ', '東', 'é', '🔑', 'e\u0301', '👨‍👩‍👧'),
  maxLength: 30,
});
const LINES: fc.Arbitrary<Line> = fc.array(
  fc.tuple(WORDS, fc.boolean()).map(([text, bold]): Span => span(text, bold ? BOLD : {})),
  { maxLength: 4 },
);
const COLUMNS = fc.integer({ min: 2, max: 40 });
const squeezed = (text: string): string => text.replaceAll(' ', '');
const widest = (rows: readonly Line[]): number => Math.max(...rows.map(lineWidth));

describe('a line broken between words', () => {
  it('fits the window with its prefixes, and loses nothing but blanks', () => {
    fc.assert(
      fc.property(LINES, fc.nat({ max: 50 }), COLUMNS, fc.nat({ max: 6 }), (text, blanks, columns, indentation) => {
        const line = [span(' '.repeat(blanks)), ...text];
        const prefix = { first: [span('•'.padEnd(indentation))], rest: [span(' '.repeat(indentation))] };
        const rows = wrapWords(line, columns, indentation === 0 ? {} : prefix);
        expect(widest(rows)).toBeLessThanOrEqual(columns);
        expect(squeezed(rows.map(plainText).join('')).replace('•', '')).toBe(squeezed(plainText(line)));
      }),
    );
  });
  it('breaks no word that fits a row', () => {
    const words = fc.array(fc.string({ unit: fc.constantFrom('a', '東', 'é'), minLength: 1, maxLength: 5 }));
    fc.assert(
      fc.property(words, (given) => {
        const rows = wrapWords([span(given.join(' '))], 12).map(plainText);
        expect(rows.join(' ').split(' ').filter(Boolean)).toEqual(given);
      }),
    );
  });
  it('keeps the indentation of the line, as far as the window has room for text', () => {
    expect(wrapWords([span('    let a')], 20).map(plainText)).toEqual(['    let a']);
    expect(widest(wrapWords([span(`${' '.repeat(100)}text`)], 20))).toBeLessThanOrEqual(20);
  });
  it('keeps the style of every character', () => {
    fc.assert(
      fc.property(LINES, COLUMNS, (line, columns) => {
        const bold = (spans: readonly Span[]): string =>
          squeezed(spans.flatMap(({ text, style }) => (style.bold === true ? [text] : [])).join(''));
        expect(bold(wrapWords(line, columns).flat())).toBe(bold(line));
      }),
    );
  });
});

describe('a line broken where a row is full', () => {
  it('fits the window and loses nothing', () => {
    fc.assert(
      fc.property(LINES, COLUMNS, (line, columns) => {
        const rows = wrapCharacters(line, columns);
        expect(widest(rows)).toBeLessThanOrEqual(columns);
        expect(rows.map(plainText).join('')).toBe(plainText(line));
      }),
    );
  });
});

describe('a line cut to a width', () => {
  it('fits, and is the line itself or its beginning with a sign of the cut', () => {
    fc.assert(
      fc.property(LINES, fc.integer({ min: 0, max: 40 }), (line, columns) => {
        const [whole, cut] = [plainText(line), plainText(truncate(line, columns))];
        expect(lineWidth(truncate(line, columns))).toBeLessThanOrEqual(columns);
        const beginning = cut.replace(/…$/, '');
        expect(whole.startsWith(beginning)).toBe(true);
        expect(cut === whole || cut === '' || cut.endsWith('…')).toBe(true);
        expect(graphemesOf(whole).slice(0, graphemesOf(beginning).length).join('')).toBe(beginning);
      }),
    );
  });
});
