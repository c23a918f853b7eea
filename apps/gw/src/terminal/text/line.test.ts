import * as fc from 'fast-check';
import { assert, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  applyStyle,
  encode,
  graphemesOf,
  graphemeWidth,
  type Line,
  line,
  lineWidth,
  type Palette,
  plainText,
  type Span,
  type Style,
  span,
  widthOf,
} from './line.ts';
import { editableText } from './safe.ts';

const STYLES: fc.Arbitrary<Style> = fc.record(
  {
    color: fc.constantFrom('red' as const, 'gray' as const),
    bold: fc.boolean(),
    dim: fc.boolean(),
    italic: fc.boolean(),
    underline: fc.boolean(),
    strike: fc.boolean(),
    inverse: fc.boolean(),
  },
  { requiredKeys: [] },
);
const LINES: fc.Arbitrary<Line> = fc.array(
  fc
    .tuple(fc.string({ unit: fc.constantFrom('a', ' ', '日', '👍'), maxLength: 6 }), STYLES)
    .map(([text, style]): Span => span(text, style)),
  { maxLength: 5 },
);
// oxlint-disable-next-line no-control-regex -- the sequences that are looked for
const SEQUENCE = /\x1b\[([\d;]*)m/g;

describe('a line as the terminal takes it', () => {
  it('has its text, whatever the styles are, and leaves no style behind', () => {
    fc.assert(
      fc.property(LINES, fc.constantFrom<Palette>('plain', 'attributes', 'colors'), (spans, palette) => {
        const written = encode(spans, palette);
        expect(written.replaceAll(SEQUENCE, '')).toBe(plainText(spans));
        const codes = [...written.matchAll(SEQUENCE)].map(([, code]) => code);
        // Each style is followed by its end.
        expect(codes.filter((_, at) => at % 2 === 1).every((code) => code === '0')).toBe(true);
        expect(codes.length % 2).toBe(0);
      }),
    );
  });

  it('has no colour where colours are not wanted, and nothing at all in a dumb terminal', () => {
    const spans = [span('x', { color: 'red', bold: true }), span('y', { color: 'gray' })];
    expect(encode(spans, 'colors')).toBe('\x1b[1;31mx\x1b[0m\x1b[90my\x1b[0m');
    expect(encode(spans, 'attributes')).toBe('\x1b[1mx\x1b[0my');
    expect(encode(spans, 'plain')).toBe('xy');
  });
});

describe('a style that is added to a line', () => {
  it('gives way to the style of a part', () => {
    const spans = [span('a'), span('b', { color: 'red' }), span('c', { bold: false })];
    expect(applyStyle(spans, { color: 'green', bold: true }).map(({ style }) => style)).toEqual([
      { color: 'green', bold: true },
      { color: 'red', bold: true },
      { color: 'green', bold: false },
    ]);
  });

  it('changes neither text nor width', () => {
    fc.assert(
      fc.property(LINES, STYLES, (spans, style) => {
        expect([plainText(applyStyle(spans, style)), lineWidth(applyStyle(spans, style))]).toEqual([
          plainText(spans),
          lineWidth(spans),
        ]);
      }),
    );
  });
});

it('an empty text is an empty line, which is not written', () => {
  expect(encode(line(''), 'colors')).toBe('');
  expect(encode([span('', { bold: true })], 'colors')).toBe('');
});

describe('a text that is edited', () => {
  it('has one sign for each control character, so that the cursor stays where it is', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', '\x1b', '\x00', '\x7f', '\x9b', '\u202e', '\r', '日', '\u{e0041}') }),
        (text) => {
          const shown = editableText(text);
          // oxlint-disable-next-line no-control-regex -- none may reach the terminal
          expect(shown).not.toMatch(/[\x00-\x1f\x7f-\x9f\u202e]/);
          expect(Array.from(shown)).toHaveLength(Array.from(text).length);
        },
      ),
    );
  });

  it('keeps line ends, and shows which control character it is', () => {
    expect(editableText('a\nb\x07\x1b\r\x85')).toBe('a\nb␇␛␍\ufffd');
  });

  it('that is plain is the same, in any language', () => {
    for (const text of ['plain', 'Grüße', '日本語', '👩‍👩‍👧‍👦']) {
      expect(editableText(text)).toBe(text);
      expect(graphemesOf(editableText(text))).toEqual(graphemesOf(text));
    }
  });
});

describe('the width of a text', () => {
  it.each([
    ['', 0],
    ['gateway', 7],
    ['déjà', 4],
    ['e\u0301te\u0301', 3],
    ['漢字かな', 8],
    ['한국', 4],
    ['ＡＢ', 4],
    ['a漢b', 4],
    ['⏳', 2],
    ['☯', 1],
    ['✔', 1],
    ['✔\ufe0f', 2],
    ['1\ufe0f\u20e3', 2],
    ['🇫🇷', 2],
    ['👩‍👩‍👧‍👦', 2],
    ['👍🏽', 2],
    ['a\u200bb', 2],
    ['─│┌', 3],
  ])('of %j is %i columns', (text, columns) => {
    expect(widthOf(text)).toBe(columns);
  });

  it('is the sum of the widths of its characters, which together are the text', () => {
    assert(
      property(string({ unit: 'grapheme' }), (text) => {
        const graphemes = graphemesOf(text);
        expect(graphemes.join('')).toBe(text);
        expect(widthOf(text)).toBe(graphemes.reduce((sum, each) => sum + graphemeWidth(each), 0));
      }),
    );
  });
});
