import { charset } from '../../text/charset.ts';
import { NO, type Tail, type Verdict, type View } from '../view.ts';
import { readsAsKey } from './pem.ts';

const BLANKS = charset(' \t\r\n');
/** Separators of the parts: a listing numbers their lines. */
const BETWEEN = charset('\x01-;=-\xff');
const BASE64 = charset('A-Za-z0-9+/=');
const INSIDE = charset('A-Za-z0-9+/=>|:#. \t\r\n\x80-\xff-');
const GAP = 16;
const LONGEST_MARK = 72;
/** Base64 bytes that show that a part is there. */
const SHOWN = 20;
/** The private parts, in the order in which .NET writes them; any of them may come first. */
const PARTS = ['<P>', '<Q>', '<D>', '<DP>', '<DQ>', '<InverseQ>'] as const;
const LESS = 0x3c;
const TAIL: Tail = { type: 'xml' };

/**
 * `<RSAKeyValue><Modulus>…</Modulus><Exponent>…</Exponent><P>…`: what follows the exponent is private. A public key ends
 * there, and a DSA key, whose P and Q are public, has no exponent.
 */
export function checkXmlKey(view: View, _from: number, to: number): Verdict {
  const from = view.runEnd(BETWEEN, to, LONGEST_MARK);
  if (view.waits(from)) return view.more(view.end);
  if (view.at(from) !== LESS) return NO;
  let waits = false;
  for (const part of PARTS) {
    const spelled = view.spelled(part, from);
    if (spelled < part.length) {
      waits ||= view.waits(from + spelled);
      continue;
    }
    const bodyFrom = view.runEnd(BLANKS, from + spelled, GAP);
    const bodyTo = view.runEnd(BASE64, bodyFrom, SHOWN);
    if (view.waits(bodyTo)) return view.more(from);
    if (bodyTo - bodyFrom < SHOWN || !readsAsKey(view, bodyFrom, bodyTo)) return NO;
    return view.found(from, bodyTo, TAIL);
  }
  return waits ? view.more(from) : NO;
}

/** Follows the parts from `from` on, to the end of the key's element or the first other text. */
export function swallowXml(view: View, from: number): boolean {
  let at = from;
  while (true) {
    at = view.runEnd(INSIDE, at, Number.MAX_SAFE_INTEGER);
    view.to = at;
    if (view.waits(at + 2)) return false;
    if (view.at(at) !== LESS || !isPart(view, at)) return true;
    at++;
  }
}

function isPart(view: View, at: number): boolean {
  const name = view.at(at + 1) === 0x2f ? view.at(at + 2) : view.at(at + 1);
  return name === 0x50 || name === 0x51 || name === 0x44 || name === 0x49; // P, Q, D, I
}
