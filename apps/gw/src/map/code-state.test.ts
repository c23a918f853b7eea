import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../testing/folder.ts';
import { type CodeLink, changesOf, codeOf, digestsOf, finish, type Lesson, linksOf } from './course.ts';

const SOURCE = 'import x from "./x";\n\nexport function total(): number {\n  return 1;\n}\n\nexport const tax = 2;\n';
const link = (path: string, symbol: string | null = null, digest: string | null = null): CodeLink => ({
  path,
  symbol,
  digest,
  line: 3,
});

function project(files: Readonly<Record<string, string>> = { 'total.ts': SOURCE }): string {
  const folder = join(temporaryFolder(), 'project');
  mkdirSync(folder);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}
const digestOf = async (source: string, symbol: string | null = 'total'): Promise<string> => {
  const code = await codeOf(project({ 'total.ts': source }), link('total.ts', symbol));
  return code.state === 'found' ? code.digest : code.state;
};

describe('the code of a link', () => {
  it('is the declaration alone, with its place', async () => {
    expect(await codeOf(project(), link('total.ts', 'total'))).toMatchObject({
      state: 'found',
      text: 'export function total(): number {\n  return 1;\n}',
      firstLine: 3,
    });
    expect(await codeOf(project(), link('total.ts'))).toMatchObject({ text: SOURCE.trim(), firstLine: 1 });
  });

  it.each([
    ['other line ends', SOURCE.replaceAll('\n', '\r\n')],
    ['blanks at the ends of lines', SOURCE.replaceAll('{\n', '{  \n')],
    ['another place in the file', `// moved\n\n${SOURCE}`],
    ['changes around it', SOURCE.replace('tax = 2', 'tax = 3')],
  ])('counts as the same with %s', async (_, source) => {
    expect(await digestOf(source)).toBe(await digestOf(SOURCE));
  });

  it.each([
    ['another value', SOURCE.replace('return 1', 'return 2')],
    ['another indentation', SOURCE.replace('  return', '    return')],
    ['a comment inside', SOURCE.replace('return 1;', 'return 1; // one')],
  ])('counts as changed with %s', async (_, source) => {
    expect(await digestOf(source)).not.toBe(await digestOf(SOURCE));
  });

  it.each<[string, CodeLink, string]>([
    ['no file', link('gone.ts', 'total'), 'no file'],
    ['a folder', link('.'), 'no file'],
    ['no such declaration', link('total.ts', 'sum'), 'no symbol'],
    ['a language that the map does not know', link('notes.txt', 'total'), 'unknown language'],
    ['a file above the project', link('../secret.txt'), 'no file'],
    ['a link that leads above the project', link('out.txt'), 'no file'],
  ])('that is %s says so', async (_, where, state) => {
    const folder = project({ 'total.ts': SOURCE, 'notes.txt': 'total' });
    writeFileSync(join(folder, '..', 'secret.txt'), 'secret');
    symlinkSync('../secret.txt', join(folder, 'out.txt'));
    expect(await codeOf(folder, where)).toEqual({ state });
  });
});

describe('a lesson', () => {
  const lessonOf = (...code: readonly CodeLink[]): Lesson => ({
    id: 'l',
    title: 'L',
    line: 1,
    text: '',
    exercise: null,
    code,
  });

  it('has changed where its code is gone, was never recorded, or is another than was written', async () => {
    const same = await digestOf(SOURCE);
    const folder = project();
    const lesson = lessonOf(
      link('total.ts', 'total', same),
      link('total.ts', 'tax'),
      link('total.ts', 'tax', `sha256:${'0'.repeat(64)}`),
      link('gone.ts'),
      link('total.ts', 'gone', same),
    );
    const changes = changesOf(await linksOf(folder, lesson), null);
    expect(changes.map(({ what, since }) => [what, since])).toEqual([
      ['no digest', 'written'],
      ['changed', 'written'],
      ['no file', 'written'],
      ['no symbol', 'written'],
    ]);
  });

  it('has changed since it was finished where its code was written again with the lesson', async () => {
    const folder = project();
    const links = await linksOf(folder, lessonOf(link('total.ts', 'total', await digestOf(SOURCE))));
    const now = new Date('2026-01-01');
    expect(changesOf(links, finish(now, digestsOf(links)))).toEqual([]);
    expect(changesOf(links, finish(now, { 'total.ts#total': 'sha256:before' }))).toMatchObject([
      { what: 'changed', since: 'finished' },
    ]);
    expect(changesOf(links, finish(now, {}))).toEqual([]);
  });
});
