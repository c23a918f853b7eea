import type { Cedar } from './engine.ts';

/**
 * Whether a text matches a `like` pattern. Between two wildcards the first match is as good as any other, so one pass over the
 * text suffices for any pattern.
 */
export function fitsPattern(text: string, pattern: readonly Cedar.PatternElem[]): boolean {
  const parts = literalParts(pattern);
  const [first = '', ...rest] = parts;
  const last = rest.pop();
  if (last === undefined) return text === first;
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false;
  let at = first.length;
  const end = text.length - last.length;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found < 0 || found + part.length > end) return false;
    at = found + part.length;
  }
  return true;
}

/** The fixed parts before, between and after the wildcards. */
function literalParts(pattern: readonly Cedar.PatternElem[]): string[] {
  const parts = [''];
  for (const element of pattern) {
    if (element === 'Wildcard') parts.push('');
    else parts[parts.length - 1] += element.Literal;
  }
  return parts;
}
