import { crossEntropy } from '../cross-entropy.ts';
import { isPlaceholder } from '../placeholder.ts';
import type { TokenRule } from '../rule.ts';
import { FOUND, MORE, NO, type Verdict, type View } from '../view.ts';
import { crc32Base62 } from './checksum.ts';
import { goesOnWithEncoded } from './embedded.ts';
import { matchShape, type Shape } from './shape.ts';

/**
 * Checks one form of a token rule at its keyword. A match is no finding when it is a placeholder, a part of a picture, or reads
 * like words although the rule requires randomness; a valid checksum decides either way.
 */
export function checkToken(rule: TokenRule, shape: Shape, view: View, from: number): Verdict {
  const verdict = matchShape(shape, view, from);
  if (verdict !== FOUND) return verdict;
  const bodyFrom = shape.before.length > 0 || !shape.inclusive ? view.from : from + shape.keyword.length;
  if (rule.checksum === 'crc32-base62' && crc32Base62(view.text(bodyFrom, view.to))) return FOUND;
  if (rule.except?.some((beginning) => view.text(view.from, view.to).startsWith(beginning))) return NO;
  if (isPlaceholder(view, bodyFrom, view.to) || goesOnWithEncoded(view, view.from)) return NO;
  if (
    rule.crossEntropy !== undefined &&
    crossEntropy(view.bytes, weighFrom(shape, view, from, bodyFrom), view.to) < rule.crossEntropy
  )
    return NO;
  const isPublic = rule.isPublic?.(view) ?? NO;
  if (isPublic === MORE) return view.more(view.from);
  return isPublic === FOUND ? NO : FOUND;
}

/** A value of so many bytes after a keyword in the middle is weighed alone: the words before it are not generated. */
const ALONE = 16;

function weighFrom(shape: Shape, view: View, from: number, bodyFrom: number): number {
  const after = from + shape.keyword.length;
  return shape.inclusive && view.to - after >= ALONE ? after : bodyFrom;
}
