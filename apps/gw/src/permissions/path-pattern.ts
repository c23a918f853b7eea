import ignore from 'ignore';
import type { ResolvedPath } from './bash/resolved-path.ts';

/** `[!a]`, which the library takes for its opposite: it allows nothing, and excludes any character. */
const INVERTED = /(?<!\\)\[[!^][^\]]*\]/g;

/** `/home/casey/notes/**`, but not `/**`, which means everything in the project. */
const ABSOLUTE = /^\/[^*?[\]{}\\/]+(?:\/|$)/;

/**
 * Whether a path matches a pattern in the notation of `.gitignore`, relative to the project. A pattern that begins with `/` and
 * the name of a folder is also an absolute path: the only way to cover a file outside the project.
 */
export function pathIsCovered(pattern: string, resolved: ResolvedPath | null | undefined): boolean {
  if (resolved == null || pattern.search(INVERTED) >= 0) return false;
  const matcher = ignore({ ignorecase: false }).add(pattern);
  const paths = [resolved.relative ?? '', ...(ABSOLUTE.test(pattern) ? [fromRoot(resolved.path)] : [])];
  return paths.some((path) => path !== '' && ignore.isPathValid(path) && matcher.ignores(path)); // '' is the project itself
}

/** The same for an exclusion: letter case does not count, and a path outside may match by its last parts. */
export function pathMayMatch(pattern: string, resolved: ResolvedPath | null | undefined, written: string): boolean {
  const absolute = ABSOLUTE.test(pattern) ? resolved?.path : undefined;
  const paths = [resolved?.relative ?? resolved?.path, absolute, written];
  const matcher = ignore({ ignorecase: true }).add(pattern.replaceAll(INVERTED, '?'));
  return paths.some((path) => {
    const plain = fromRoot(path?.replaceAll('\\', '/') ?? '');
    return plain !== '' && ignore.isPathValid(plain) && matcher.ignores(plain);
  });
}

function fromRoot(path: string): string {
  return path.replace(/^(?:\.{0,2}\/)+/, '');
}
