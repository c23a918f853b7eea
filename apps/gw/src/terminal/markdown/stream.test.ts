import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { plainText } from '../text/line.ts';
import { loadHighlight } from './highlight.ts';
import { lexer } from './lexer.ts';
import { createMarkdownStream } from './stream.ts';

const highlight = await loadHighlight();
const OPTIONS = { columns: 60, highlight };

/** The finished lines of a text that comes in pieces, as texts. */
function streamed(pieces: readonly string[], height = 8): string {
  const stream = createMarkdownStream(lexer);
  const lines = pieces.flatMap((piece) => {
    stream.append(piece);
    return stream.take(OPTIONS, height).finished;
  });
  return [...lines, ...stream.end(OPTIONS)].map(plainText).join('\n');
}
const rendered = (text: string): string => streamed([text], 1000);

test.each([
  ['bold, italic, code', 'Some **bold**, *italic*, ~~gone~~ and `code`.', 'Some bold, italic, gone and code.'],
  [
    'markup in lists',
    '- one **b** `c`\n  - *nested*\n- [x] done\n- [ ] open',
    '• one b c\n  • nested\n[x] done\n[ ] open',
  ],
  ['numbers', '3. three\n4. four', '3. three\n4. four'],
  ['a link shows its address', '[text](https://a.example/b)', 'text (https://a.example/b)'],
  ['a bare address is shown once', '<https://a.example/b>', 'https://a.example/b'],
  ['headings', '# One\n\n## Two *it*', 'One\n\nTwo it'],
  ['quotes', '> said\n> so', '│ said so'],
  ['entities and HTML', '&lt;b&gt; <b>x</b> &#x41;&unknown;', '<b> <b>x</b> A&unknown;'],
  ['a table', '|a|b|\n|-|-:|\n|one|2|', 'a    b\n───  ─\none  2'],
  ['code', '```ts\nconst a = 1;\n\n  b();\n```\nend', '  const a = 1;\n\n    b();\n\nend'],
  ['a hard break', 'one  \ntwo\\\nthree\nfour', 'one\ntwo\nthree four'],
  ['escape sequences are removed', 'a\x1b[31mb\x1b]2;title\x07c\x07', 'abc'],
])('%s', (_, text, expected) => {
  expect(rendered(text)).toBe(expected);
});

test('a table that is too wide breaks its cells, and becomes records where no room is left', () => {
  const wide = `|first|second|\n|-|-|\n|${'word '.repeat(20)}|x|`;
  for (const row of rendered(wide).split('\n')) expect(row.length).toBeLessThanOrEqual(60);
  const names = Array.from({ length: 9 }, (_, at) => `column ${at} of nine`);
  const many = [names, names.map(() => '-'), names].map((row) => `|${row.join('|')}|`).join('\n');
  expect(rendered(many)).toContain('column 8 of nine: column 8 of nine');
});

describe('a text in pieces', () => {
  const block = fc.constantFrom(
    'A paragraph with **bold** and `code`, long enough to be broken over more than one line of the window.',
    '# Heading',
    '- one\n- two **b**\n  - nested\n- three',
    '1. one\n2. two\n3. three\n4. four\n5. five\n6. six\n7. seven\n8. eight\n9. nine\n10. ten\n11. eleven',
    `\`\`\`js\n${Array.from({ length: 90 }, (_, at) => `const x${at} = \`${at}\`;`).join('\n')}\n\`\`\``,
    '> quoted\n> text',
    '|a|b|\n|-|-|\n|1|2|',
    '---',
    '<div>\nhtml\n</div>',
  );
  test('gives the same lines wherever it is cut', () => {
    fc.assert(
      fc.property(
        fc.array(block, { minLength: 1, maxLength: 6 }),
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }),
        (blocks, sizes) => {
          const text = blocks.join('\n\n');
          const pieces: string[] = [];
          for (let at = 0, turn = 0; at < text.length; turn += 1) {
            const size = sizes[turn % sizes.length] ?? 1;
            pieces.push(text.slice(at, at + size));
            at += size;
          }
          expect(streamed(pieces, 5)).toBe(rendered(text));
        },
      ),
      { numRuns: 25 },
    );
  });

  test('a long block gives up what is certain: the rest stays short', () => {
    for (const line of ['- item', '1. item', 'code']) {
      const stream = createMarkdownStream(lexer);
      if (line === 'code') stream.append('```ts\n');
      let finished = 0;
      for (let at = 0; at < 500; at += 1) {
        stream.append(`${line} ${at}\n`);
        const { finished: lines, live } = stream.take(OPTIONS, 10);
        finished += lines.length;
        expect(live.length).toBeLessThanOrEqual(11);
      }
      expect(finished + stream.end(OPTIONS).length).toBe(500);
    }
  });

  test('numbers continue after items that were flushed', () => {
    const pieces = Array.from({ length: 30 }, () => '1. item\n');
    expect(streamed(pieces, 4).split('\n').at(-1)).toBe('30. item');
  });
});

test('code is coloured, by the language that is named', () => {
  const [line] = highlight('const a = "x"; // why', 'TS') ?? [];
  expect(line?.map(({ text, style }) => [text, style.color]).filter(([, color]) => color)).toEqual([
    ['const', 'magenta'],
    ['"x"', 'green'],
    ['// why', 'gray'],
  ]);
  expect(highlight('x', 'no-such-language')).toBeNull();
});
