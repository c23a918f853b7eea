import ignore from 'ignore';
import type { ResolvedPath } from './bash/resolved-path.ts';

/** `[!a]`, which the library takes for its opposite: it allows nothing, and excludes any character. */
const INVERTED = /(?<!\\)\[[!^][^\]]*\]/g;

/** Whether a path matches a pattern in the notation of `.gitignore`, relative to the project. */
export function pathIsCovered(pattern: string, resolved: ResolvedPath | null | undefined): boolean {
  if (resolved?.relative == null || resolved.relative === '') return false; // outside, or the project itself
  if (pattern.search(INVERTED) >= 0) return false;
  return ignore({ ignorecase: false }).add(pattern).ignores(resolved.relative);
}

/** The same for an exclusion: letter case does not count, and a path outside may match by its last parts. */
export function pathMayMatch(pattern: string, resolved: ResolvedPath | null | undefined, written: string): boolean {
  const paths = [resolved?.relative ?? resolved?.path, written];
  const matcher = ignore({ ignorecase: true }).add(pattern.replaceAll(INVERTED, '?'));
  return paths.some((path) => {
    const plain = path?.replaceAll('\\', '/').replace(/^(?:\.{0,2}\/)+/, '') ?? '';
    return plain !== '' && ignore.isPathValid(plain) && matcher.ignores(plain);
  });
}
