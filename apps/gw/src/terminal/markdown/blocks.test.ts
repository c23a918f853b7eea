import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lineWidth, plainText } from '../text/line.ts';
import { blocksLines } from './blocks.ts';
import { lexer } from './lexer.ts';
import { createMarkdownStream } from './stream.ts';

const rendered = (text: string, columns: number) => blocksLines(lexer(text), { columns, highlight: null });

describe('an answer in Markdown', () => {
  it('that holds no code fits every window', () => {
    const piece = fc.constantFrom(
      'word ',
      'a longer word ',
      '東京',
      '🔑 ',
      '**bold** ',
      '`code` ',
      '[text](https://host.example/path) ',
      '\n',
      '\n\n',
      '\n# ',
      '\n> ',
      '\n> > ',
      '\n- ',
      '\n  - ',
      '\n1. ',
      '\n---\n',
      '\n<b>markup</b>\n',
      '\n\n|a|b|c|\n|-|:-:|-:|\n|one|two words|three|\n\n',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), fc.integer({ min: 30, max: 90 }), (pieces, columns) => {
        const rows = rendered(pieces.join('').replaceAll(/^ {4,}/gm, '   '), columns);
        expect(Math.max(0, ...rows.map(lineWidth))).toBeLessThanOrEqual(columns);
      }),
    );
  });
  it.each(['---', 'text', '# heading', '- item', '|a|b|\n|-|-|\n|1|2|', '```\ncode\n```'])(
    'keeps %j in quotes that are deeper than the window is wide',
    (block) => {
      const quoted = block.replaceAll(/^/gm, '> '.repeat(30));
      expect(rendered(quoted, 20).map(plainText).join('')).toMatch(/[─a-z]/);
    },
  );
  it.each([
    ['quotes', '> '.repeat(5000)],
    ['quotes in lists', '- > '.repeat(1000)],
    ['lists', Array.from({ length: 60 }, (_, level) => `${'  '.repeat(level)}- `).join('\n')],
    ['marks', '*_'.repeat(5000)],
    ['brackets', '[!['.repeat(5000)],
  ])('is shown whatever the depth of its %s', (_, text) => {
    const stream = createMarkdownStream(lexer);
    stream.append(`${text}the text`);
    const { finished, live } = stream.take({ columns: 60, highlight: null }, 20);
    expect([...finished, ...live, ...stream.end({ columns: 60, highlight: null })].map(plainText).join('')).toContain(
      'the text',
    );
  });
});
