import type { TokenRule } from '../rules/rule.ts';
import { BASE64_ANY } from '../text/charset.ts';
import { beginsApart } from './boundary.ts';
import type { Shape } from './shape.ts';
import { checkToken } from './token.ts';
import { EVIDENCE, NO, type Tail, type Verdict, View } from './view.ts';

/** Letters that are looked for at least: fewer begin too many words. */
const LEAST = 5;
const RUN: Tail = { type: 'run', set: BASE64_ANY, joiners: null };

/**
 * The first letters of every token of a form that was encoded in base64, as manifests of a cluster hold it; null where the
 * form does not begin with a text that is long enough.
 */
export function wrappedBeginning({ keyword, before, inclusive }: Shape): string | null {
  if (before.length > 0 || !inclusive) return null;
  const letters = Buffer.from(keyword)
    .toString('base64')
    .slice(0, Math.floor((keyword.length * 8) / 6));
  return letters.length < LEAST ? null : letters;
}

/**
 * Checks a run of base64 that begins like a token of a form: what it decodes to has to begin with one. As for any value, the
 * first bytes of a long run decide.
 */
export function checkWrapped(rule: TokenRule, shape: Shape, letters: string, view: View, from: number): Verdict {
  if (!view.spells(letters, from) || !beginsApart(view, from)) return NO;
  const to = view.runEnd(BASE64_ANY, from, EVIDENCE);
  const open = to - from === EVIDENCE;
  const waits = !open && view.waits(to);
  const inner = new View();
  inner.bytes = Buffer.from(view.text(from, to), 'base64');
  inner.end = inner.bytes.length;
  inner.final = !waits && !open;
  // The last letter of the keyword may still be half there.
  if (!(waits && inner.end < shape.keyword.length) && checkToken(rule, shape, inner, 0) === NO) return NO;
  if (waits) return view.more(from);
  return view.found(from, to, open ? RUN : null);
}
