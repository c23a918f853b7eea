import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Names beyond which it is not followed what a pattern stands for. */
const MOST_NAMES = 2000;

/** The names that the shell may put for a pattern, and the pattern itself; null where there are too many to look at. */
export function expandGlob(pattern: string, directory: string): readonly string[] | null {
  let found = [pattern.startsWith('/') ? '/' : ''];
  for (const part of pattern.split('/').filter(Boolean)) {
    if (!/[*?[]/.test(part)) {
      found = found.map((one) => join(one, part));
      continue;
    }
    const matcher = matcherOf(part);
    const next: string[] = [];
    for (const one of found) {
      for (const name of namesIn(join(directory, one))) if (matcher.test(name)) next.push(join(one, name));
      if (next.length > MOST_NAMES) return null;
    }
    found = next;
  }
  return [pattern, ...found];
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** At least what the shell takes: any character for a class, and hidden files only where the pattern may begin with a dot. */
function matcherOf(part: string): RegExp {
  const plain = part
    .replaceAll(/\[[^\]]*\]/g, '?')
    .replaceAll(/[.+^${}()|\\\]]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll(/\?/g, '.')
    .replaceAll('[', '.*');
  return new RegExp(`^${/^[*?]/.test(part) ? '(?!\\.)' : ''}${plain}$`, 's');
}
