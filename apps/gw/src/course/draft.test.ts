import { array, assert, constantFrom, property, record } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseCourse } from './course.ts';
import { courseText, parseDraft } from './draft.ts';

const lesson = (change: object = {}) => ({
  title: 'Totals',
  path: 'src/total.ts',
  symbol: 'total',
  text: 'It adds.',
  question: 'What is added?',
  answer: 'Prices.',
  ...change,
});
const draftOf = (...lessons: readonly object[]) => {
  const { draft, fault } = parseDraft(JSON.stringify({ introduction: 'Read this.', lessons }));
  if (draft === null) throw new Error(fault);
  return draft;
};
/** A draft, written as a file and read again. */
const written = (...lessons: readonly object[]) => parseCourse(courseText('A course', draftOf(...lessons)));

describe('the answer of a model', () => {
  it.each([
    ['alone', (json: string) => json],
    ['in a code fence', (json: string) => `\`\`\`json\n${json}\n\`\`\``],
    ['between sentences', (json: string) => `Here it is:\n${json}\nI hope it helps.`],
  ])('is read %s', (_, around) => {
    const { draft, fault } = parseDraft(around(JSON.stringify({ lessons: [lesson({ symbol: null }), lesson()] })));
    expect(fault).toBe('');
    expect(draft).toMatchObject({ introduction: '', lessons: [{ symbol: null }, { symbol: 'total' }] });
  });

  it.each([
    ['', 'The answer is not a JSON object.'],
    ['I cannot do that.', 'The answer is not a JSON object.'],
    ['{"lessons": [', 'The answer is not a JSON object.'],
    ['} {', 'The answer is not a JSON object.'],
    ['{}', /^lessons: /],
    ['{"lessons": []}', /^lessons: /],
    [JSON.stringify({ lessons: [lesson(), lesson({ title: ' ' })] }), /^lessons\.1\.title: /],
    [JSON.stringify({ lessons: [lesson({ answer: 7 })] }), /^lessons\.0\.answer: /],
    [JSON.stringify({ lessons: Array.from({ length: 51 }, () => lesson()) }), /^lessons: /],
  ])('%j is none, and the model learns why', (answer, says) => {
    const { draft, fault } = parseDraft(answer);
    expect(draft).toBeNull();
    expect(fault).toMatch(says);
  });
});

describe('a course that a model drafted', () => {
  it('is the course that is read from its file', () => {
    expect(written(lesson(), lesson({ title: 'Taxes', path: 'README.md', symbol: null }))).toMatchObject({
      title: 'A course',
      introduction: 'Read this.',
      lessons: [
        {
          id: 'totals',
          code: [{ path: 'src/total.ts', symbol: 'total', digest: null }],
          text: 'It adds.',
          exercise: { question: 'What is added?', answer: 'Prices.' },
        },
        { id: 'taxes', code: [{ path: 'README.md', symbol: null }] },
      ],
    });
  });

  it('has a title of its own for each lesson', () => {
    const titles = written(lesson(), lesson({ title: 'TOTALS' }), lesson({ title: '#  Totals' })).lessons;
    expect(titles.map(({ title }) => title)).toEqual(['Totals', 'TOTALS (2)', 'Totals (3)']);
  });

  it.each(['C', 'C++', 'C#', '!'])('has a lesson for each of the titles %j and "C"', (title) => {
    expect(written(lesson({ title }), lesson({ title: 'C' })).lessons).toHaveLength(2);
  });

  it('keeps code with comments, headings and marks as it is', () => {
    const text = 'Run it:\n\n```sh\n# build\nmake\n## test\n```\n\nThen:\n\n~~~\n</details>\n~~~';
    const course = written(lesson({ text, question: text, answer: text }), lesson({ title: 'Next' }));
    expect(course.lessons.map(({ title }) => title)).toEqual(['Totals', 'Next']);
    expect(course.lessons[0]?.text).toContain('# build\nmake');
  });

  it('has all its lessons, exercises and answers, whatever their texts contain', () => {
    const piece = constantFrom(
      '# a',
      '## b',
      '### Exercise',
      '</details>',
      '  </details>',
      '<details><summary>Answer</summary>',
      '```',
      '~~~~',
      '<!-- code: x -->',
      '-->',
      'text',
      ' ',
      '\n',
      '\n\n',
    );
    const text = array(piece, { minLength: 1, maxLength: 8 }).map((pieces) => `x${pieces.join('\n')}`);
    assert(
      property(array(record({ text, question: text, answer: text }), { minLength: 1, maxLength: 3 }), (parts) => {
        const { lessons } = written(...parts.map((part, at) => lesson({ title: `Lesson ${at}`, ...part })));
        expect(lessons.map(({ title }) => title)).toEqual(parts.map((_, at) => `Lesson ${at}`));
        for (const { code, exercise } of lessons) {
          expect([code.length, exercise?.question.startsWith('x'), exercise?.answer.startsWith('x')]).toEqual([
            1,
            true,
            true,
          ]);
        }
      }),
    );
  });
});
