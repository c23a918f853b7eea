import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { commentsOfCode, messagesOfCode } from './code.ts';
import { bannedWords, longSentences } from './faults.ts';
import { textsOfMarkdown } from './markdown.ts';
import { MOST_WORDS } from './vocabulary.ts';

const CHECK = join(import.meta.dirname, 'main.ts');
const words = (number: number): string => `${Array.from({ length: number }, (_, at) => `word${at}`).join(' ')}.`;
const messages = (text: string) => bannedWords({ line: 1, text }).map(({ message }) => message);

describe('a banned word', () => {
  it.each([
    ['Mend the file.', '"Mend": write fix, correct, how to fix'],
    ['Whoever calls is named.', '"Whoever": write a caller who, the person, the subject'],
    ['It is read anew.', '"anew": write again'],
    ['The two are told apart.', '"told apart": write distinguished, distinguish'],
    ['A verdict is recorded.', '"verdict": write decision'],
  ])('is found in "%s"', (text, message) => {
    expect(messages(text)).toEqual([message]);
  });

  it.each([
    'Amended, recommended and tremendous.',
    'By whom it was granted.',
    'A renewed certificate.',
    'A station2 name.',
  ])('is not found in "%s"', (text) => expect(messages(text)).toEqual([]));
});

describe('a long sentence', () => {
  it('has more words than the limit', () => {
    expect(longSentences({ line: 7, text: words(MOST_WORDS) })).toEqual([]);
    expect(longSentences({ line: 7, text: words(MOST_WORDS + 1) })).toEqual([
      { line: 7, message: expect.stringContaining(`a sentence of ${MOST_WORDS + 1} words`) },
    ]);
  });

  it('ends at a full stop, a question mark and an exclamation mark, before any letter', () => {
    const half = words(MOST_WORDS).slice(0, -1);
    for (const mark of ['.', '?', '!', '."', '.)']) {
      expect(longSentences({ line: 1, text: `${half}${mark} ${half}.` })).toEqual([]);
    }
  });

  it('does not end at an abbreviation, a version or a colon', () => {
    const half = words(13).slice(0, -1);
    for (const mark of [' e.g.', ', i.e.', ' 1.2', ':']) {
      expect(longSentences({ line: 1, text: `${half}${mark} ${half}.` })).toHaveLength(1);
    }
  });

  it('counts marks that stand alone as no words', () => {
    expect(longSentences({ line: 1, text: `${words(MOST_WORDS).slice(0, -1)} → · –` })).toEqual([]);
  });
});

describe('the texts of a page', () => {
  it('are headings, paragraphs, items, quotes and cells, with the lines where they begin', () => {
    const page =
      '# Title\n\nOne line\nand a second.\n\n- an item\n  that goes on\n- another\n\n> quoted\n\n| Head | `x` |\n|---|---|\n| cell | two |\n';
    expect(textsOfMarkdown(page)).toEqual([
      { line: 1, text: 'Title' },
      { line: 3, text: 'One line and a second.' },
      { line: 6, text: 'an item that goes on' },
      { line: 8, text: 'another' },
      { line: 10, text: 'quoted' },
      { line: 12, text: 'Head' },
      { line: 14, text: 'cell' },
      { line: 14, text: 'two' },
    ]);
  });

  it('are not front matter, code, addresses, pictures beside each other or elements', () => {
    const page =
      '---\ntitle: mend\n---\n```sh\nmend\n```\n~~~\nmend\n~~~\n[a link](https://mend.example) and `mend`\n![one](a)\n![two](b)\n<Mend name="x" />\n';
    expect(textsOfMarkdown(page).map(({ text }) => text)).toEqual(['a link and `', 'one', 'two']);
  });
});

describe('the texts of code', () => {
  const source = [
    '// a comment',
    'const name = "identifier";',
    '/** a block',
    ' * of two lines */',
    'const say = `a ${name} message`;',
    'export const view = /\\/\\/ no comment/;',
    'const long = "a // message";',
  ].join('\n');

  it('are its comments', () => {
    expect(commentsOfCode('a.ts', source).map(({ line, text }) => [line, text.trim().split('\n')[0]])).toEqual([
      [1, 'a comment'],
      [3, '* a block'],
    ]);
    expect(commentsOfCode('a.sql', 'select 1; -- why\nselect 2;\n')).toEqual([{ line: 1, text: ' why' }]);
  });

  it('are its strings of several words, in expressions and elements', () => {
    expect(messagesOfCode('a.ts', source)).toEqual([{ line: 7, text: 'a // message' }]);
    expect(messagesOfCode('a.ts', 'const x = `to ${y} the letter`;').map(({ text }) => text)).toEqual([' the letter']);
    expect(messagesOfCode('a.tsx', 'const x = <p>two words</p>;')).toEqual([{ line: 1, text: 'two words' }]);
    expect(messagesOfCode('a.sql', "select 'two words';")).toEqual([]);
  });
});

describe('the check', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'words-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  function write(file: string, text: string): void {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }

  it('names each planted fault with its file and line, and fails', () => {
    write('README.md', `# A title\n\n${words(26)}\n`);
    write('docs/deep/page.md', 'Mend it.\n');
    write('site/pages/a/b.md', 'Fine.\n\nRead it anew.\n');
    write('packages/a/src/b.ts', 'const a = 1;\n// the verdict\nexport const b = "what mends it";\n');
    const { status, stdout } = spawnSync(process.execPath, [CHECK], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect(stdout.trimEnd().split('\n')).toEqual([
      expect.stringMatching(/^README\.md:3: a sentence of 26 words, 25 at most: word0 /),
      'docs/deep/page.md:1: "Mend": write fix, correct, how to fix',
      'site/pages/a/b.md:3: "anew": write again',
      'packages/a/src/b.ts:2: "verdict": write decision',
      'packages/a/src/b.ts:3: "mends": write fix, correct, how to fix',
    ]);
    expect(status).toBe(1);
  });

  it('leaves out packages, artifacts, the course and migrations, and passes', () => {
    for (const file of ['docs/course/a.md', 'packages/a/node_modules/b/README.md']) write(file, 'Mend it.\n');
    write('packages/database/migrations/0001_a.sql', '-- read anew\n');
    write('apps/a/dist/b.ts', '// anew\n');
    expect(execFileSync(process.execPath, [CHECK], { cwd: folder, encoding: 'utf8' })).toBe('');
  });
});
