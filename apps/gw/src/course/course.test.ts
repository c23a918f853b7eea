import { array, assert, constantFrom, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CourseFault, parseCourse, withDigests } from './course.ts';

const DIGEST = `sha256:${'ab'.repeat(32)}`;
const COURSE = `# The cart

Read this first.

## How a total is made
<!-- code: src/total.ts#total ${DIGEST} -->
<!-- code: README.md -->

It adds.

\`\`\`md
## no lesson
\`\`\`

### Exercise

What is added?

<details><summary>Answer</summary>

Prices.

</details>

## Taxes

<!-- code: src/tax.ts#rate -->
Rates.
`;

function faultOf(text: string): string {
  try {
    parseCourse(text);
  } catch (error) {
    return `${(error as CourseFault).line}: ${(error as CourseFault).message}`;
  }
  return 'none';
}

describe('a course', () => {
  it('has a title, an introduction, and lessons with links, text and exercise', () => {
    const { title, introduction, lessons } = parseCourse(COURSE);
    expect([title, introduction, lessons.length]).toEqual(['The cart', 'Read this first.', 2]);
    expect(lessons[0]).toEqual({
      id: 'how-a-total-is-made',
      title: 'How a total is made',
      line: 5,
      code: [
        { path: 'src/total.ts', symbol: 'total', digest: DIGEST, line: 6 },
        { path: 'README.md', symbol: null, digest: null, line: 7 },
      ],
      text: 'It adds.\n\n```md\n## no lesson\n```',
      exercise: { question: 'What is added?', answer: 'Prices.' },
    });
    expect(lessons[1]).toMatchObject({ text: 'Rates.', exercise: null });
  });

  it('reads the same from a file with CRLF line ends and a byte order mark', () => {
    expect(parseCourse(`\uFEFF${COURSE.replaceAll('\n', '\r\n')}`)).toEqual(parseCourse(COURSE));
  });

  it.each([
    ['', '1: A course begins with its title: # Title.'],
    ['## a\n', '1: A course begins with its title: # Title.'],
    ['# a\n', '1: The course has no lesson. Each lesson begins with a ## heading.'],
    ['# a\n## b\ntext\n', '2: The lesson "b" has no code. Add <!-- code: path#symbol --> below its heading.'],
    ['# a\n## b\n<!-- code: -->\n', '3: This is not a link to code. Write <!-- code: path#symbol -->.'],
    [
      '# a\n## b\n<!-- code: x -->\n## B\n<!-- code: x -->\n',
      '4: There is another lesson named "B". Give each its own title.',
    ],
    ['# a\n## b\n<!-- code: x -->\n# c\n', '4: A course has one # title. Lessons have ## headings.'],
    [
      '# a\n## b\n<!-- code: x -->\n### Exercise\nWhat?\n',
      '2: The exercise has no answer. Write it between <details><summary>Answer</summary> and </details>.',
    ],
  ])('%j is refused with its line', (text, fault) => {
    expect(faultOf(text)).toBe(fault);
  });

  it('never fails in another way than with a line', () => {
    const piece = constantFrom(
      '# ',
      '## ',
      '### Exercise\n',
      '<!-- code: a#b -->\n',
      '<!-- code:',
      '```\n',
      'x',
      '\n',
      '</details>',
    );
    assert(
      property(array(piece, { maxLength: 20 }), (pieces) => {
        expect(faultOf(pieces.join(''))).toMatch(/^(\d+: .+|none)$/);
      }),
    );
  });

  it('gets digests in its links and keeps every other byte', () => {
    const other = `sha256:${'cd'.repeat(32)}`;
    const written = withDigests(
      COURSE,
      new Map([
        [6, other],
        [7, DIGEST],
      ]),
    );
    expect(written.split('\n').slice(5, 7)).toEqual([
      `<!-- code: src/total.ts#total ${other} -->`,
      `<!-- code: README.md ${DIGEST} -->`,
    ]);
    expect(withDigests(written, new Map([[6, DIGEST]])).replace(`README.md ${DIGEST}`, 'README.md')).toBe(COURSE);
  });
});
