import { array, assert, constantFrom, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commentsOfCode, messagesOfCode } from './code.ts';
import { bannedWords, longSentences } from './faults.ts';
import { textsOfMarkdown } from './markdown.ts';
import { BANNED } from './vocabulary.ts';

const texts = (page: string): string[] => textsOfMarkdown(page).map(({ text }) => text);

describe('the texts of a page', () => {
  it.each([
    ['* one\n+ two\n10. three', ['one', 'two', 'three']],
    ['- outer\n  - inner\n    goes on', ['outer', 'inner goes on']],
    ['::: tip\nA tip.\n:::', ['::: tip', 'A tip.', ':::']],
    ['**Bold** and `code` and [a link](https://x.example).', ['Bold and ` and a link.']],
    ['| a \\| b | c |', ['a \\| b', 'c']],
    ['#### Deep', ['Deep']],
    ['~~~\ncode\n```\ncode\n~~~\ntext', ['text']],
    ['````md\n```\ncode\n```\n````\ntext', ['text']],
    ['text\n```\ncode', ['text']],
    ['---\ntitle: a\n---\ntext', ['text']],
    ['text\n---\nmore', ['text --- more']],
    ['', []],
  ])('of %j', (page, expected) => {
    expect(texts(page).filter((text) => !text.startsWith(':::') || expected.includes(text))).toEqual(expected);
  });

  it('begin on the lines that are named, for any page', () => {
    const block = constantFrom(
      '# Head one',
      'A line\nand another',
      '- item\n  more',
      '| cell | two |',
      '```\ncode\n```',
      '> quote',
    );
    assert(
      property(array(block, { maxLength: 8 }), (blocks) => {
        const page = blocks.join('\n\n');
        const lines = page.split('\n');
        for (const { line, text } of textsOfMarkdown(page)) {
          expect(lines[line - 1]).toContain(text.split(' ')[0]);
        }
      }),
    );
  });
});

describe('every word that is not used', () => {
  it('is found with what to write instead, in any case, and once in a text', () => {
    for (const [pattern, instead] of BANNED)
      expect([pattern.source, instead.length > 0, pattern.global]).toEqual([pattern.source, true, false]);
    expect(bannedWords({ line: 3, text: 'Anew and ANEW.' })).toEqual([{ line: 3, message: '"Anew": write again' }]);
  });

  it('may occur beside others, each reported', () => {
    expect(
      bannedWords({ line: 1, text: 'The verdict is read anew.' }).map(({ message }) => message.split('"')[1]),
    ).toEqual(expect.arrayContaining(['verdict', 'anew']));
  });

  it('is none in an empty text, and no sentence is too long there', () => {
    expect([bannedWords({ line: 1, text: '' }), longSentences({ line: 1, text: '' })]).toEqual([[], []]);
  });
});

describe('the texts of code', () => {
  it('have the line on which they begin, in files with any number of lines before them', () => {
    for (const before of [0, 1, 57]) {
      const source = `${'\n'.repeat(before)}/* a comment\n of two lines */ const a = "two words";\n// last`;
      expect(commentsOfCode('a.ts', source).map(({ line }) => line)).toEqual([before + 1, before + 3]);
      expect(messagesOfCode('a.ts', source)).toEqual([{ line: before + 2, text: 'two words' }]);
    }
  });

  it('are those of objects, calls, types, templates and elements', () => {
    const source = [
      'const a = { "two words": call("one two", `three four ${b} five six`) };',
      'type T = "a type";',
      'throw new Error("a fault");',
    ].join('\n');
    expect(
      messagesOfCode('a.ts', source)
        .map(({ text }) => text)
        .sort(),
    ).toEqual([' five six', 'a fault', 'a type', 'one two', 'three four ', 'two words'].sort());
    const view = 'const v = <p title="a title">some text {x} <b>more text</b></p>;';
    expect(messagesOfCode('a.tsx', view).map(({ text }) => text)).toEqual(['a title', 'some text ', 'more text']);
  });

  it('are comments of SQL to the end of their lines', () => {
    const source = 'select 1; -- one\n-- two\nselect 3;';
    expect(commentsOfCode('a.sql', source)).toEqual([
      { line: 1, text: ' one' },
      { line: 2, text: ' two' },
    ]);
  });
});
