import ignore from 'ignore';
import type { Place } from './bash/places.ts';

/** Whether a path matches a pattern in the notation of `.gitignore`, relative to the project. */
export function pathIsCovered(pattern: string, place: Place | null | undefined): boolean {
  if (place?.relative == null || place.relative === '') return false; // outside, or the project itself
  return ignore({ ignorecase: false }).add(pattern).ignores(place.relative);
}

/** The same for an exclusion: letter case does not count, and a path outside may match by its last parts. */
export function pathMayMatch(pattern: string, place: Place | null | undefined, written: string): boolean {
  const paths = [place?.relative ?? place?.path, written];
  const matcher = ignore({ ignorecase: true }).add(pattern);
  return paths.some((path) => {
    const plain = path?.replaceAll('\\', '/').replace(/^(?:\.{0,2}\/)+/, '') ?? '';
    return plain !== '' && ignore.isPathValid(plain) && matcher.ignores(plain);
  });
}
