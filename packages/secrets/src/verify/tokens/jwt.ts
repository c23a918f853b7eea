import { charset } from '../../text/charset.ts';
import { beginsHere } from '../boundary.ts';
import { isMonotonous } from '../placeholder.ts';
import { EVIDENCE, NO, type Tail, type Verdict, type View } from '../view.ts';

const BASE64URL = charset('A-Za-z0-9_=-');
const TAIL: Tail = { type: 'run', set: BASE64URL, joiners: charset('./+') };
/** Members of a JOSE header (RFC 7515 section 4.1, RFC 7516 section 4.1). */
const JOSE = /^\s*\{\s*"(?:alg|typ|kid|enc|jku|jwk|x5u|x5c|x5t|x5t#S256|cty|crit|zip|b64|epk|apu|apv|ver|p2s|p2c)"/;
/**
 * Public by design: the token of the introduction at jwt.io, the demonstration keys of local Supabase stacks, and the anonymous key
 * of a Supabase project, which every page of the project contains.
 */
const WELL_KNOWN = [
  /"sub":"1234567890","name":"John Doe"/,
  /"iss":"supabase-demo"/,
  /^\{"iss":"supabase","ref":"[a-z]{20}","role":"anon"/,
];

/** A JSON Web Token: a first part that decodes to a JOSE header, and a second one. */
export function checkJwt(view: View, from: number): Verdict {
  if (view.at(from) !== 0x65 || view.at(from + 1) !== 0x79 || view.at(from + 2) !== 0x4a) return NO;
  if (!beginsHere(view, from) || view.at(from - 1) === 0x2e) return NO;
  const headerTo = view.runEnd(BASE64URL, from, EVIDENCE);
  if (headerTo - from === EVIDENCE) return hasHeader(view, from, headerTo) ? view.found(from, headerTo, TAIL) : NO;
  if (view.waits(headerTo)) return view.more(from);
  if (view.at(headerTo) !== 0x2e || !hasHeader(view, from, headerTo)) return NO;
  const room = EVIDENCE + 24 - (headerTo + 1 - from);
  const bodyTo = view.runEnd(BASE64URL, headerTo + 1, room);
  if (bodyTo - headerTo - 1 < room && view.waits(bodyTo)) return view.more(from);
  if (bodyTo - headerTo < 12 || isMonotonous(view.bytes, headerTo + 1, bodyTo)) return NO;
  if (isWellKnown(view.text(headerTo + 1, bodyTo))) return NO;
  return view.found(from, bodyTo, TAIL);
}

function hasHeader(view: View, from: number, to: number): boolean {
  return JOSE.test(Buffer.from(view.text(from, to), 'base64url').toString('latin1'));
}

function isWellKnown(body: string): boolean {
  const text = Buffer.from(body, 'base64url').toString('latin1');
  return WELL_KNOWN.some((pattern) => pattern.test(text));
}
