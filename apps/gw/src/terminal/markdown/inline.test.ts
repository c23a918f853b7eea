/* oxlint-disable no-control-regex -- none may reach the terminal */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lineWidth, plainText, type Span } from '../text/line.ts';
import { lexer } from './lexer.ts';
import { createMarkdownStream } from './stream.ts';

const OPTIONS = { columns: 60, highlight: null };
const lines = (text: string) => {
  const stream = createMarkdownStream(lexer);
  stream.append(text);
  return stream.end(OPTIONS);
};
const rendered = (text: string): string => lines(text).map(plainText).join('\n');
const partsOf = (text: string): readonly Span[] => lines(text).flat();

describe('a line end within a paragraph', () => {
  it.each([
    ['one\ntwo', 'one two'],
    ['**one**\n**two**', 'one two'],
    ['`one`\n`two`', 'one two'],
    ['[one](https://a.example)\n*two*', 'one (https://a.example) two'],
    ['`one\ntwo`', 'one two'],
    ['[one\ntwo](https://a.example)', 'one two (https://a.example)'],
    ['one  \n**two**', 'one\ntwo'],
    ['one<br>two', 'one<br>two'],
  ])('is a blank, unless it is a break: %j', (text, expected) => {
    expect(rendered(text)).toBe(expected);
  });
});

describe('links and images', () => {
  it.each([
    ['[https://bank.example](https://evil.example)', 'https://bank.example (https://evil.example)'],
    ['[**bold**](https://a.example)', 'bold (https://a.example)'],
    ['casey@example.org', 'casey@example.org'],
    ['www.example.org', 'www.example.org (http://www.example.org)'],
    ['![a chart](https://a.example/x.png)', 'a chart (https://a.example/x.png)'],
    ['![](x.png)', ' (x.png)'],
    ['[text][1]\n\n[1]: https://a.example "title"', 'text (https://a.example)'],
    ['[text](<https://a.example/with blank>)', 'text (https://a.example/with blank)'],
    ['[text](javascript:alert(1))', 'text (javascript:alert(1))'],
  ])('show where they lead: %s', (text, expected) => {
    expect(rendered(text).trimEnd()).toBe(expected.trimEnd());
  });
});

describe('entities', () => {
  it.each([
    ['&amp;lt; is &lt;', '&lt; is <'],
    ['&#72;&#x49;', 'HI'],
    ['a&#27;[2Jb &#x9b;31mred&#7; &#x1b;]0;title&#7;', 'ab red'],
    ['&#x202e;gnp.exe', '<U+202E>gnp.exe'],
    ['&#38;#27;[2J', '&#27;[2J'],
    ['`&lt;b&gt;`', '&lt;b&gt;'],
    ['a&nbsp;b', 'a b'],
    ['&copy; &bogus; &', '&copy; &bogus; &'],
  ])('%s', (text, expected) => {
    expect(rendered(text)).toBe(expected);
  });

  it('cannot write what a plain text cannot: no character that misleads a reader or moves the cursor', () => {
    const code = fc.oneof(
      fc.integer({ min: 0, max: 0x11ffff }),
      fc.constantFrom(0x1b, 0x9b, 0x07, 0x0a, 0x0d, 0x202e, 0x2066, 0x61c, 0xe0041, 0xd800),
    );
    const entity = fc.tuple(code, fc.boolean()).map(([at, hex]) => (hex ? `&#x${at.toString(16)};` : `&#${at};`));
    const frame = fc.constantFrom(
      'X',
      '**X**',
      '`X`',
      '[X](https://a.example)',
      '[a](https://a.example/X)',
      '![X](y.png)',
      '|X|b|\n|-|-|\n|X|2|',
      '- X',
      '> X',
      '# X',
      '<b>X</b>',
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(frame, entity), { minLength: 1, maxLength: 6 }), (parts) => {
        const text = parts.map(([around, each]) => around.replaceAll('X', each)).join('\n\n');
        for (const row of lines(text)) {
          expect(plainText(row)).not.toMatch(
            /[\x00-\x1f\x7f-\x9f\u061c\u202a-\u202e\u2066-\u2069]|[\u{e0000}-\u{e007f}]/u,
          );
          expect(lineWidth(row)).toBeLessThanOrEqual(OPTIONS.columns + 20);
        }
      }),
      { examples: [[[['X', '&#x202e;']]]] },
    );
  });
});

describe('marks within a line', () => {
  it('add up, and end where they end', () => {
    const styles = partsOf('plain **bold *both* bold** ~~gone~~').map(({ text, style }) => [
      text.trim(),
      style.bold === true,
      style.italic === true,
      style.strike === true,
    ]);
    expect(styles.filter(([text]) => text !== '')).toEqual([
      ['plain', false, false, false],
      ['bold', true, false, false],
      ['both', true, true, false],
      ['bold', true, false, false],
      ['gone', false, false, true],
    ]);
  });

  it('that are escaped or not closed are shown', () => {
    expect(rendered('\\*not\\* **open `tick')).toBe('*not* **open `tick');
    expect(rendered('snake_case_name and 2 * 3 * 4')).toBe('snake_case_name and 2 * 3 * 4');
  });

  it('in a task keep its box', () => {
    expect(rendered('1. [x] **done**\n2. [ ] `open`')).toBe('1. [x] done\n2. [ ] open');
  });
});
