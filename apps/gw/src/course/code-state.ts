import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { staysWithin } from '../files/project.ts';
import { extractFacts } from '../map/extract.ts';
import { languageOf } from '../map/languages/index.ts';
import type { CodeLink, Lesson, LessonProgress } from './course.ts';

/** The code that a link points to, in its current state. */
export type CodeState =
  | { readonly state: 'found'; readonly text: string; readonly digest: string; readonly firstLine: number }
  | { readonly state: 'no file' | 'no symbol' | 'unknown language' };

/** Reads the code of a link. `project` is the directory that its path is relative to; nothing outside it is read. */
export async function codeOf(project: string, { path, symbol }: CodeLink): Promise<CodeState> {
  const file = join(project, path);
  const source = (await staysWithin(project, file)) ? await readFile(file, 'utf8').catch(() => null) : null;
  if (source === null) return { state: 'no file' };
  if (symbol === null) return toFound(source, 1);
  const language = languageOf(path);
  if (language === undefined) return { state: 'unknown language' };
  const { symbols } = await extractFacts(language, source, false);
  const declaration = symbols.find(({ name }) => name === symbol);
  if (declaration === undefined) return { state: 'no symbol' };
  const { firstLine, lastLine } = declaration;
  return toFound(
    source
      .split('\n')
      .slice(firstLine - 1, lastLine)
      .join('\n'),
    firstLine,
  );
}

/** Line ends and blanks at them do not make another text. */
function toFound(text: string, firstLine: number): CodeState {
  const plain = text
    .split(/\r?\n/)
    .map((line) => line.trimEnd())
    .join('\n')
    .trim();
  return {
    state: 'found',
    text: plain,
    digest: `sha256:${createHash('sha256').update(plain).digest('hex')}`,
    firstLine,
  };
}

/** One link of a lesson with the code it points to now. */
export interface LinkState {
  readonly link: CodeLink;
  readonly code: CodeState;
}

/** Why a lesson must be looked at again. */
export interface LessonChange {
  readonly link: CodeLink;
  readonly what: 'changed' | 'no file' | 'no symbol' | 'unknown language' | 'no digest';
  /** Since the lesson was written, or since this person finished it. */
  readonly since: 'written' | 'finished';
}

export async function linksOf(project: string, lesson: Lesson): Promise<readonly LinkState[]> {
  return Promise.all(lesson.code.map(async (link) => ({ link, code: await codeOf(project, link) })));
}

export function nameOf({ path, symbol }: CodeLink): string {
  return symbol === null ? path : `${path}#${symbol}`;
}

/** Digests of the current code, by `path#symbol`, for the progress. */
export function digestsOf(links: readonly LinkState[]): Record<string, string> {
  return Object.fromEntries(
    links.flatMap(({ link, code }) => (code.state === 'found' ? [[nameOf(link), code.digest] as const] : [])),
  );
}

/** What changed since the lesson was written and, where it was finished, since then. */
export function changesOf(links: readonly LinkState[], progress: LessonProgress | null): readonly LessonChange[] {
  return links.flatMap(({ link, code }): readonly LessonChange[] => {
    if (code.state !== 'found') return [{ link, what: code.state, since: 'written' }];
    if (link.digest === null) return [{ link, what: 'no digest', since: 'written' }];
    if (link.digest !== code.digest) return [{ link, what: 'changed', since: 'written' }];
    const finished = progress?.digests[nameOf(link)];
    return finished !== undefined && finished !== code.digest ? [{ link, what: 'changed', since: 'finished' }] : [];
  });
}
