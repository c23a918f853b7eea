import { type CodeState, codeOf } from './code-state.ts';
import type { CodeLink, Lesson } from './course.ts';
import type { LessonProgress } from './progress.ts';

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
