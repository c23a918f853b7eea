import { charset } from '../../text/charset.ts';
import { crossEntropy, readsLikeWords } from '../cross-entropy.ts';
import { isMonotonous } from '../placeholder.ts';
import { NO, type Verdict, type View } from '../view.ts';

/** `define('` has been read, the name with its quote too: what follows them up to the quote of the value. */
const BETWEEN = charset(' \t,');
const LONGEST_GAP = 24;
const COMMA = /^[ \t]*,[ \t]*$/;
const QUOTE = 0x27;
/** All printable bytes but the quote and the backslash, blanks too: what WordPress draws them from. */
const SALT = charset(' !"#$%&()*+,./0-9:;<=>?@A-Z[]^_`a-z{|}~-');
const LENGTH = 64;
/** Bits a character under which a phrase counts as words. */
const LEAST = 4.8;

/** `define('AUTH_KEY', '<64 characters>');`, which sign the cookies of a WordPress site: marks and blanks are a third of them. */
export function checkWordPressSalt(view: View, _from: number, to: number): Verdict {
  const quote = view.runEnd(BETWEEN, to, LONGEST_GAP);
  if (view.waits(quote)) return view.more(view.end);
  if (view.at(quote) !== QUOTE || !COMMA.test(view.text(to, quote))) return NO;
  const from = quote + 1;
  const end = view.runEnd(SALT, from, LENGTH);
  if (readsLikeWords(view, from, end)) return NO;
  if (view.waits(end)) return view.more(from);
  if (end - from !== LENGTH || view.at(end) !== QUOTE || isMonotonous(view.bytes, from, end)) return NO;
  return crossEntropy(view.bytes, from, end) >= LEAST ? view.found(from, end) : NO;
}
