import { beginsApart } from '../boundary.ts';
import { checkEncoded } from '../encoded.ts';
import type { TokenRule } from '../rule.ts';
import { MORE, NO, type Verdict, type View } from '../view.ts';
import { keywordOf, type Shape } from './shape.ts';
import { checkToken } from './token.ts';

/** Letters that are looked for at least: fewer begin too many words. */
const LEAST = 5;

/**
 * The first letters of every token of a form in base64, as in cluster manifests; null where the form's literal beginning is too
 * short.
 */
export function readWrappedBeginning(form: string): string | null {
  const keyword = keywordOf(form);
  if (!form.startsWith(keyword) || form.includes('^')) return null;
  const letters = Buffer.from(keyword)
    .toString('base64')
    .slice(0, Math.floor((keyword.length * 8) / 6));
  return letters.length < LEAST ? null : letters;
}

/** Checks a run of base64 that begins like a token of a form: what it decodes to has to begin with one. */
export function checkWrapped(rule: TokenRule, shape: Shape, letters: string, view: View, from: number): Verdict {
  if (!view.spells(letters, from) || !beginsApart(view, from)) return NO;
  return checkEncoded(view, from, from, (inner) =>
    // Only half of the keyword's last letter may have arrived.
    !inner.final && inner.end < shape.keyword.length ? MORE : checkToken(rule, shape, inner, 0),
  );
}
