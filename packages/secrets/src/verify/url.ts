import { charset } from '../text/charset.ts';
import { isPassword } from './password.ts';
import { EVIDENCE, NO, type Verdict, type View } from './view.ts';

const SCHEME = charset('A-Za-z0-9+.-');
/** Bytes of the part before the path; quotes, blanks and brackets end it, whatever the standard allows. */
const AUTHORITY = charset('!$&()*+,%.0-9:;=@A-Z[]^_a-z{|}~#\x80-\xff-');
const WEB = /^(?:https?|wss?|ftps?)$/i;
const NO_SECRET = /^(?:data|blob|file|about|chrome|vscode|urn)$/i;
const RESERVED_HOST = /^(?:[\w-]+\.)*(?:example|test|invalid|localhost)(?:\.(?:com|org|net))?(?:[:/]|$)/i;

/** `scheme://user:password@host`: the password is the finding. */
export function checkUrl(view: View, from: number, to: number): Verdict {
  const schemeFrom = view.runStart(SCHEME, from, 20);
  if (from - schemeFrom < 2) return NO;
  const colon = userEnd(view, to);
  if (colon < 0) return colon === -1 ? NO : view.more(view.end);
  const passwordFrom = colon + 1;
  const limit = EVIDENCE - 8;
  const stop = view.runEnd(AUTHORITY, passwordFrom, limit);
  if (stop - passwordFrom < limit && view.waits(stop)) return view.more(passwordFrom);
  const password = lastAt(view, passwordFrom, stop);
  if (password <= passwordFrom) return NO;
  const scheme =
    view
      .text(schemeFrom, from)
      .split(/[^A-Za-z0-9]/)
      .at(-1) ?? '';
  if (NO_SECRET.test(scheme)) return NO;
  const host = view.text(password + 1, stop);
  const web = WEB.test(scheme);
  const least = RESERVED_HOST.test(host) ? 5.2 : web ? 4.2 : 3.6;
  const user = view.text(to, colon);
  return isPassword(view.text(passwordFrom, password), user, least) ? view.found(passwordFrom, password) : NO;
}

/** Position of the colon after the user's name; -1 when there is none, -2 when the text ends before. */
function userEnd(view: View, from: number): number {
  for (let at = from; at < from + 64; at++) {
    if (view.waits(at)) return -2;
    const byte = view.at(at);
    if (byte === 0x3a) return at;
    if (AUTHORITY[byte] === 0 || byte === 0x40) return -1;
  }
  return -1;
}

function lastAt(view: View, from: number, to: number): number {
  for (let at = to - 1; at > from; at--) if (view.bytes[at] === 0x40) return at;
  return -1;
}
