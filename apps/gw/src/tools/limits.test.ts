import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { LINE_CHARACTERS, LIST_ENTRIES, READ_CHARACTERS, READ_LINES } from './jobs.ts';
import { search } from './search.ts';
import { testProject } from './testing/project.ts';
import { list } from './tools.ts';
import { read } from './write.ts';

const numbered = (count: number, line = (at: number) => `line ${at}`): string =>
  Array.from({ length: count }, (_, at) => `${line(at + 1)}\n`).join('');

/** The lines of a file as Read gives them call after call, each where the one before says. */
async function readOn(t: Awaited<ReturnType<typeof testProject>>, name: string): Promise<readonly string[]> {
  const lines: string[] = [];
  for (let offset: number | null = 1; offset !== null; ) {
    const { content } = await t.run(read, { file_path: name, offset });
    expect(content.length).toBeLessThan(READ_CHARACTERS + 200);
    const [, shown = content, next] = /^([\s\S]*)\n\[\d+ more lines, .*offset (\d+)\]$/.exec(content) ?? [];
    lines.push(...shown.split('\n').map((line) => line.slice(line.indexOf('\t') + 1)));
    offset = next === undefined ? null : Number(next);
  }
  return lines;
}

describe('a long file', () => {
  it.each([
    ['of many lines', numbered(READ_LINES * 2 + 10)],
    ['of wide lines', numbered(200, (at) => `${at} ${'x'.repeat(1000)}`)],
    ['whose lines end as on Windows', numbered(READ_LINES + 1).replaceAll('\n', '\r\n')],
    ['without an end of its last line', `${numbered(READ_LINES)}last`],
  ])('%s is read whole, without a gap, by following what Read says', async (_, content) => {
    const t = await testProject({ 'long.txt': content });
    expect(await readOn(t, 'long.txt')).toEqual(content.replace(/\r?\n$/, '').split(/\r?\n/));
  });

  it('has no half of a character where a line is cut', async () => {
    for (const shift of ['', 'x']) {
      const t = await testProject({ 'wide.txt': `${shift}${'😀'.repeat(LINE_CHARACTERS)}\n` });
      const { content } = await t.run(read, { file_path: 'wide.txt' });
      expect(content.isWellFormed()).toBe(true);
      expect(content).toMatch(/… \[\d+ more characters in this line\]$/);
    }
  });

  it('whose first line alone is too long is read all the same', async () => {
    const t = await testProject({ 'wide.txt': `${'x'.repeat(READ_CHARACTERS * 2)}\nsecond\n` });
    const { content } = await t.run(read, { file_path: 'wide.txt' });
    expect(content).toMatch(/^1\tx+… \[118000 more characters in this line\]\n2\tsecond$/);
  });
});

describe('List', () => {
  it('of a large directory names how much is left out, directories first', async () => {
    const t = await testProject();
    await mkdir(t.at('many/zz'), { recursive: true });
    await Promise.all(Array.from({ length: LIST_ENTRIES + 5 }, (_, at) => writeFile(t.at(`many/f${at}`), '')));
    const lines = (await t.run(list, { path: 'many' })).content.split('\n');
    expect([lines[0], lines.length]).toEqual(['zz/', LIST_ENTRIES + 1]);
    expect(lines.at(-1)).toMatch(/^\[6 more entries: /);
  });

  it('marks links, and says what is empty or not there', async () => {
    const t = await testProject({ 'a.txt': 'four' });
    await mkdir(t.at('empty'));
    await symlink('/nonexistent', t.at('dangling'));
    expect((await t.run(list, {})).content).toBe('empty/\na.txt (4 bytes)\ndangling (link)');
    expect((await t.run(list, { path: 'empty' })).content).toBe('empty is empty.');
    expect((await t.run(list, { path: 'absent' })).content).toBe('absent does not exist.');
    expect((await t.run(list, { path: 'a.txt' })).content).toBe('a.txt is not a directory: use Read.');
  });
});

describe('Search', () => {
  it('is ended with the turn', async () => {
    const t = await testProject({ 'a.txt': 'needle\n' });
    const signal = AbortSignal.abort(new Error('interrupted'));
    await expect(t.run(search, { pattern: 'needle' }, { signal })).rejects.toThrow('interrupted');
  });

  it('finds text over several lines, and in names with signs that mean something elsewhere', async () => {
    const t = await testProject({ 'a [1]:2;$x.txt': 'first\nsecond\n', '-l': 'second\n' });
    expect((await t.run(search, { pattern: 'first\nsecond' })).content).toBe(
      'a [1]:2;$x.txt:1:first\na [1]:2;$x.txt:2:second',
    );
    expect((await t.run(search, { pattern: 'second', path: '-l' })).content).toBe('-l:1:second');
  });

  it('asks once for a file whether it may be shown, and leaves out all its lines', async () => {
    const t = await testProject({ 'secret.env': 'word 1\nword 2\n', 'open.txt': 'word 3\n' });
    const asked: string[] = [];
    const keepsFromReading = async (path: string): Promise<boolean> => {
      asked.push(path);
      return path.endsWith('.env');
    };
    expect((await t.run(search, { pattern: 'word' }, { keepsFromReading })).content).toBe(
      'open.txt:1:word 3\n[Lines of 1 file that rules keep from being read were left out]',
    );
    expect(asked.toSorted()).toEqual(['open.txt', 'secret.env']);
  });
});
