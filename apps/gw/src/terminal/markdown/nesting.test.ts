import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainText } from '../text/line.ts';
import { blocksLines } from './blocks.ts';
import { deepBlock, lexer, MOST_LEVELS } from './lexer.ts';
import { createMarkdownStream } from './stream.ts';

const OPTIONS = { columns: 60, highlight: null };
const nested = (levels: number, marker = '- ', indentation = '  '): string =>
  Array.from({ length: levels }, (_, at) => `${indentation.repeat(at)}${marker}level ${at}\n`).join('');

describe('a block that is nested too deeply', () => {
  it.each([
    ['bullets', nested(400)],
    ['stars', nested(400, '* ')],
    ['numbers', nested(400, '1. ', '   ')],
    ['numbers with a parenthesis', nested(400, '12) ', '    ')],
    ['tabs', nested(400, '- ', '\t')],
    ['one line', `${'- '.repeat(400)}text`],
    ['quotes', `${'> '.repeat(400)}text`],
    ['quotes of lists', `${'> - '.repeat(200)}text`],
    ['lists of quotes in lines', nested(400, '- > ', '    ')],
    ['empty items', nested(400).replaceAll(/ level \d+/g, '')],
    ['Windows line ends', nested(400).replaceAll('\n', '\r\n')],
    ['a list under a list', `- first\n- second\n${nested(400).replaceAll(/^/gm, '  ')}`],
  ])('never reaches the parser: %s', (_, text) => {
    const block = deepBlock(text);
    expect(block).not.toBeNull();
    expect(depthOf(lexer(text))).toBeLessThanOrEqual(MOST_LEVELS);
  });

  it('is shown as plain lines, between what is before and after it', () => {
    const text = `# Title\n\n${nested(MOST_LEVELS + 1)}\nThe **end**.\n`;
    const lines = blocksLines(lexer(text), OPTIONS).map(plainText);
    expect(lines.slice(0, 4)).toEqual(['Title', '', '- level 0', '- level 1']);
    expect(lines.slice(-3)).toEqual([`- level ${MOST_LEVELS}`, '', 'The end.']);
  });

  it('leaves the items before it as they are', () => {
    const text = `- **one**\n${nested(MOST_LEVELS + 1)}`;
    expect(blocksLines(lexer(text), OPTIONS).map(plainText).slice(0, 3)).toEqual(['• one', '', '- level 0']);
  });

  it('does not hide the text of a second one', () => {
    const text = `${nested(MOST_LEVELS + 1)}\nbetween\n\n${nested(MOST_LEVELS + 1, '+ ')}`;
    const lines = blocksLines(lexer(text), OPTIONS).map(plainText);
    expect([lines.includes('between'), lines.at(-1)]).toEqual([true, `+ level ${MOST_LEVELS}`]);
  });
});

describe('nesting that people write', () => {
  it.each([
    ['a deep list', nested(MOST_LEVELS)],
    ['many items', '- one\n  - two\n'.repeat(500)],
    ['items that come back', Array.from({ length: 500 }, (_, at) => `${' '.repeat((at % 9) * 2)}- item\n`).join('')],
    ['dashes', '- '.repeat(3)],
    ['a rule of dashes', '-'.repeat(400)],
    ['emphasis', '*'.repeat(400)],
    ['negative numbers', Array.from({ length: 400 }, (_, at) => `${' '.repeat(at)}-${at}\n`).join('')],
    ['code that is far to the right', `\`\`\`\n${' '.repeat(300)}- x\n\`\`\``],
  ])('is left to the parser: %s', (_, text) => {
    expect(deepBlock(text)).toBeNull();
  });
});

describe('the blocks of any text', () => {
  const line = fc
    .tuple(
      fc.nat({ max: 120 }),
      fc.constantFrom('- ', '* ', '1. ', '> ', '- - ', '```', '', '-'),
      fc.constantFrom('a', '', '**b**'),
    )
    .map(([indentation, marker, text]) => `${' '.repeat(indentation)}${marker}${text}\n`);
  const list = fc.integer({ min: 1, max: 90 }).map((levels) => nested(levels));
  const text = fc.array(fc.oneof(line, list), { maxLength: 8 }).map((parts) => parts.join(''));

  it('contain all of it, and no deeper nesting', () => {
    fc.assert(
      fc.property(text, (markdown) => {
        const tokens = lexer(markdown);
        expect(tokens.map(({ raw }) => raw).join('')).toBe(markdown);
        expect(depthOf(tokens)).toBeLessThanOrEqual(MOST_LEVELS);
      }),
    );
  });

  it('are the same in pieces, when a list becomes too deep', () => {
    const markdown = `Before.\n\n${nested(MOST_LEVELS + 9)}\nAfter.\n`;
    fc.assert(
      fc.property(
        fc.array(fc.nat({ max: markdown.length }), { maxLength: 6 }),
        fc.integer({ min: 60, max: 200 }),
        (cuts, height) => {
          const stream = createMarkdownStream(lexer);
          const ends = [...cuts.toSorted((one, other) => one - other), markdown.length];
          const lines = ends.flatMap((end, at) => {
            stream.append(markdown.slice(ends[at - 1] ?? 0, end));
            return stream.take(OPTIONS, height).finished;
          });
          expect([...lines, ...stream.end(OPTIONS)].map(plainText)).toEqual(
            blocksLines(lexer(markdown), OPTIONS).map(plainText),
          );
        },
      ),
      { numRuns: 20 },
    );
  });
});

/** Lists and quotes within each other. */
function depthOf(tokens: readonly unknown[]): number {
  return Math.max(
    0,
    ...tokens.map((token) => {
      const { type, tokens: inner = [], items = [] } = token as { type: string; tokens?: unknown[]; items?: unknown[] };
      return (type === 'list_item' || type === 'blockquote' ? 1 : 0) + Math.max(depthOf(inner), depthOf(items));
    }),
  );
}
