import { ALPHANUMERIC, BASE64_ANY, HEX } from '../text/charset.ts';
import { EVIDENCE, NO, type Tail, type Verdict, View } from './view.ts';

const HYPHEN = 0x2d;
const UNDERSCORE = 0x5f;
const PERCENT = 0x25;
const ESCAPE = 0x1b;
const LETTER_M = 0x6d;
const BRACKET = 0x5b;

/**
 * Whether a token may begin at `at`: after no letter, digit or underscore, unless that character ends a percent escape (`%20`,
 * `%3D`) or a terminal colour sequence (`ESC [ 93 m`), as in addresses and command output.
 */
export function beginsHere(view: View, at: number): boolean {
  const before = view.at(at - 1);
  if (ALPHANUMERIC[before] === 0) return before !== UNDERSCORE;
  if (HEX[before] === 1 && HEX[view.at(at - 2)] === 1 && view.at(at - 3) === PERCENT) return true;
  return before === LETTER_M && endsColour(view, at - 2);
}

/** Maximum number of hyphens beside a token: of an option, of a removed line in a diff, of a comment (`-->`). */
const HYPHENS = 4;

/** The same for a token that may contain hyphens: those before it belong to it only after a word. */
export function beginsApart(view: View, at: number): boolean {
  let first = at;
  while (first > at - HYPHENS && view.at(first - 1) === HYPHEN) first--;
  return view.at(first - 1) !== HYPHEN && beginsHere(view, first);
}

/** The byte after the hyphens that follow a token: it decides whether they belong to a longer word. */
export function afterHyphens(view: View, at: number): number {
  let after = at;
  while (after < at + HYPHENS && view.at(after) === HYPHEN) after++;
  return after;
}

function endsColour(view: View, last: number): boolean {
  for (let at = last; at > last - 10; at--) {
    const byte = view.at(at);
    if (byte === BRACKET) return view.at(at - 1) === ESCAPE;
    if (!((byte >= 0x30 && byte <= 0x39) || byte === 0x3b)) return false;
  }
  return false;
}

const RUN: Tail = { type: 'run', set: BASE64_ANY, joiners: null };

/**
 * Asks a check of what the run of base64 at `from` decodes to, and answers that the run is the finding, from `valueFrom` on. As
 * for any value, the first bytes of a long run decide.
 */
export function checkEncoded(view: View, from: number, valueFrom: number, check: (inner: View) => Verdict): Verdict {
  const to = view.runEnd(BASE64_ANY, from, EVIDENCE);
  const open = to - from === EVIDENCE;
  const waits = !open && view.waits(to);
  const inner = new View();
  inner.bytes = Buffer.from(view.text(from, to), 'base64');
  inner.end = inner.bytes.length;
  inner.final = !waits && !open;
  if (check(inner) === NO) return NO;
  return waits ? view.more(valueFrom) : view.found(valueFrom, to, open ? RUN : null);
}
