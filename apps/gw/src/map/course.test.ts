import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { array, assert, constantFrom, property, record } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../testing/folder.ts';
import {
  type CourseFault,
  courseText,
  findCourses,
  finish,
  isDue,
  NO_PROGRESS,
  parseCourse,
  parseDraft,
  progressOf,
  progressPath,
  readCourse,
  readProgress,
  review,
  withDigests,
  withLesson,
  writeProgress,
} from './course.ts';

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

const course = (title: string): string => `# ${title}\n\n## One\n\n<!-- code: a.ts -->\n`;

function project(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

describe('the courses of a project', () => {
  it('are the Markdown files of both folders, those of docs first, each by name', async () => {
    const folder = project({
      '.gateway/courses/a.md': course('Third'),
      'docs/course/b.md': course('Second'),
      'docs/course/a.md': course('First'),
      'docs/course/README.md': 'About these courses.',
      'docs/course/notes.txt': 'none',
      'docs/other.md': 'none',
    });
    const found = await findCourses(folder);
    expect(found.map(({ path, course: { title } }) => [path, title])).toEqual([
      ['docs/course/a.md', 'First'],
      ['docs/course/b.md', 'Second'],
      ['.gateway/courses/a.md', 'Third'],
    ]);
  });

  it('are none where there is no folder', async () => {
    expect(await findCourses(project({}))).toEqual([]);
  });

  it('are read by a path in the project, or by any other', async () => {
    const folder = project({ 'x.md': course('X') });
    expect(await readCourse(folder, 'x.md')).toMatchObject({ path: 'x.md', text: course('X') });
    const elsewhere = project({});
    expect(await readCourse(elsewhere, join(folder, 'x.md'))).toMatchObject({ file: join(folder, 'x.md') });
  });

  it('name file and line of what is wrong, and what to name where there is none', async () => {
    const folder = project({ 'docs/course/a.md': '# A\n\n## One\n\ntext\n' });
    await expect(findCourses(folder)).rejects.toThrow('docs/course/a.md, line 3: The lesson "One" has no code.');
    await expect(readCourse(folder, 'gone.md')).rejects.toThrow(
      'There is no course gone.md. Name the Markdown file of a course.',
    );
    await expect(readCourse(folder, 'docs')).rejects.toThrow('There is no course docs.');
  });
});

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

const START = new Date('2026-01-01T00:00:00.000Z');
const after = (days: number): Date => new Date(START.getTime() + days * 86_400_000);

it('asks again after longer and longer intervals, and soon after a lapse', () => {
  let lesson = finish(START, {});
  expect([isDue(lesson, after(0.9)), isDue(lesson, after(1))]).toEqual([false, true]);
  lesson = review(lesson, after(1), {}, true);
  expect([isDue(lesson, after(3)), isDue(lesson, after(4))]).toEqual([false, true]);
  lesson = review(lesson, after(4), {}, false);
  expect(isDue(lesson, after(5))).toBe(true);
});

it('keeps what was finished by course and lesson', () => {
  const lesson = finish(START, { 'a.ts#b': 'sha256:1' });
  const progress = withLesson(withLesson(NO_PROGRESS, 'x.md', 'one', lesson), 'y.md', 'one', lesson);
  expect(progressOf(progress, 'x.md', 'one')).toEqual(lesson);
  expect(progressOf(progress, 'x.md', 'two')).toBeNull();
  expect(NO_PROGRESS.courses).toEqual({});
});

const NOW = new Date('2026-01-01T00:00:00.000Z');
const later = (days: number): Date => new Date(NOW.getTime() + days * 86_400_000);
const SOME = withLesson(NO_PROGRESS, 'docs/course/one.md', 'total', finish(NOW, { 'a.ts#b': 'sha256:1' }));

function place(): string {
  return progressPath(temporaryFolder(), '/srv/shop') ?? '';
}
const put = (path: string, text: string): void => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
};

describe('the progress of a person', () => {
  it('is read as it was written, by its owner alone, and nothing else is left behind', async () => {
    const path = place();
    expect(await readProgress(path)).toEqual(NO_PROGRESS);
    expect(existsSync(dirname(path))).toBe(false);
    await writeProgress(path, NO_PROGRESS);
    await writeProgress(path, SOME);
    expect(await readProgress(path)).toEqual(SOME);
    expect([statSync(path).mode & 0o777, statSync(dirname(path)).mode & 0o777]).toEqual([0o600, 0o700]);
    expect(readdirSync(dirname(path))).toHaveLength(1);
  });

  it('is one file for each project', () => {
    expect(progressPath('/home/casey', '/work/one')).not.toBe(progressPath('/home/casey', '/work/two'));
    expect(progressPath('/home/casey', '/work/one')).toBe(progressPath('/home/casey', '/work/one'));
  });

  it.each([
    '',
    '{',
    'null',
    '{"version":2,"courses":{}}',
    '{"version":1}',
    '{"version":1,"courses":{"a.md":{"one":{"finishedAt":"soon","reviewedAt":"soon","recalled":0,"digests":{}}}}}',
    '{"version":1,"courses":{"a.md":{"one":{"recalled":-1}}}}',
  ])('that is damaged, as %j, is named and left as it is', async (text) => {
    const path = place();
    put(path, text);
    await expect(readProgress(path)).rejects.toThrow(
      `${path} cannot be read as the progress of a course. Repair it, or move it away.`,
    );
    expect(readFileSync(path, 'utf8')).toBe(text);
  });

  it('that cannot be written is reported, and nothing is left behind', async () => {
    const path = place();
    put(join(path, 'in-the-way'), '');
    await expect(writeProgress(path, SOME)).rejects.toThrow(`${path} cannot be written: `);
    expect(readdirSync(dirname(path))).toHaveLength(1);
  });

  it('cannot be kept without a home directory', async () => {
    expect(progressPath(null, '/srv/shop')).toBeNull();
    expect(await readProgress(null)).toEqual(NO_PROGRESS);
    await expect(writeProgress(null, SOME)).rejects.toThrow('you have no home directory. Set HOME.');
  });

  it.each(['constructor', 'toString', 'hasOwnProperty'])(
    'has nothing of a lesson named %s that was never finished',
    (id) => {
      expect(progressOf(SOME, 'docs/course/one.md', id)).toBeNull();
      expect(progressOf(SOME, id, 'total')).toBeNull();
    },
  );
});

describe('a lesson that is recalled each time', () => {
  it('is due after 1, 3, 7, 21, 60 and 180 days, and then twice a year', () => {
    let [lesson, at] = [finish(NOW, {}), 0];
    for (const days of [1, 3, 7, 21, 60, 180, 180, 180]) {
      expect([isDue(lesson, later(at + days - 0.001)), isDue(lesson, later(at + days))]).toEqual([false, true]);
      at += days;
      lesson = review(lesson, later(at), {}, true);
    }
  });

  it('keeps the day on which it was finished, and has the digests of its last review', () => {
    const lesson = review(finish(NOW, { a: '1' }), later(2), { a: '2' }, true);
    expect(lesson).toEqual({
      finishedAt: NOW.toISOString(),
      reviewedAt: later(2).toISOString(),
      recalled: 1,
      digests: { a: '2' },
    });
  });
});
