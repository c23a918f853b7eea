import { charset } from '../../text/charset.ts';
import { FOUND, MORE, NO, type Verdict, type View } from '../view.ts';

/** What may be between the key and the next member of a configuration. */
const BETWEEN = charset('"\'`,; \t\r\n');
const MOST_BETWEEN = 32;
const NEXT_MEMBER = 'authDomain';
/** Names of variables whose values a build writes into the pages of a site. */
const PUBLIC_NAME =
  /(?:NEXT_PUBLIC|NUXT_PUBLIC|EXPO_PUBLIC|PUBLIC|VITE|REACT_APP|VUE_APP|GATSBY)_FIREBASE_(?:WEB_)?API_KEY["']?\s*[:=]\s*["'`]?$/;
const LONGEST_NAME = 64;

/**
 * Whether a key of Google's is the one of a Firebase web configuration, which every page of the site contains: `authDomain` follows
 * it, or its name says so. `MORE` where the text ends before that is clear.
 */
export function checkFirebase(view: View): Verdict {
  const { from, to } = view;
  if (PUBLIC_NAME.test(view.text(Math.max(view.floor, from - LONGEST_NAME), from))) return FOUND;
  const next = view.runEnd(BETWEEN, to, MOST_BETWEEN);
  const spelled = view.spelled(NEXT_MEMBER, next);
  if (spelled === NEXT_MEMBER.length) return FOUND;
  return next - to < MOST_BETWEEN && view.waits(next + spelled) ? MORE : NO;
}
