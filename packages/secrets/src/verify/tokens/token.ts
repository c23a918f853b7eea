import { charset } from '../../text/charset.ts';
import { beginsApart, checkEncoded } from '../boundary.ts';
import { crossEntropy } from '../cross-entropy.ts';
import { isPlaceholder } from '../placeholder.ts';
import type { TokenRule } from '../rule.ts';
import { FOUND, MORE, NO, type Verdict, type View } from '../view.ts';
import { keywordOf, matchShape, type Shape } from './shape.ts';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const LENGTH = 6;

/** CRC-32 of what precedes, in base 62 and six digits, at the end of a token: GitHub's and npm's own check. */
export function crc32Base62(body: string): boolean {
  return body.length > LENGTH && body.endsWith(checksumOf(body.slice(0, -LENGTH)));
}

/** The six characters that end a token whose random part is `random`. */
export function checksumOf(random: string): string {
  // Loaded at the first token with a checksum: few texts contain one.
  let rest = process.getBuiltinModule('node:zlib').crc32(random);
  let digits = '';
  while (digits.length < LENGTH) {
    digits = (DIGITS[rest % 62] ?? '0') + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

const ENCODED = charset('A-Za-z0-9+/_-');

/** Bytes for looking back: more are kept after a stream's release. Longer paths and names exist, but read as words. */
const RUN = 64;
/** Bits a character. Of base64 of a picture, of sound, of anything compressed or encrypted it is 6.3 at least, of hexadecimal 5.5 at most. */
const BITS = 5.9;

/**
 * Whether the text at `at` continues with a long run of encoded bytes. Every short form occurs in such runs by chance: in one
 * picture of three, of half a megabyte.
 */
function goesOnWithEncoded(view: View, at: number): boolean {
  return at - view.runStart(ENCODED, at, RUN) >= RUN && crossEntropy(view.bytes, at - RUN, at) >= BITS;
}

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
