import { ALPHANUMERIC, charset, HEX } from '../../text/charset.ts';
import { ARGUMENT, type Assigned, BARE, type Form, LOOSE } from '../assigned.ts';
import { crossEntropy, readsLikeWords } from '../cross-entropy.ts';
import { NONE, STRONG, type Strength } from '../name.ts';
import { isMonotonous, saysSo } from '../placeholder.ts';
import type { View } from '../view.ts';
import { isPlainWord, nameStart } from './operator.ts';

/** Counts over a value, taken in one pass. */
interface Features {
  lower: number;
  upper: number;
  digits: number;
  hex: number;
  marks: number;
  /** A piece between marks is hexadecimal, not a number, and long: the tail of `provider_0123…`. */
  hexPiece: boolean;
  /** Bytes that programs and templates use and generated values do not: braces, brackets, angle brackets, blanks. */
  syntax: number;
}

const OPENING_PARENTHESIS = 0x28;
const COLON = 0x3a;
const HYPHEN = 0x2d;
const SYNTAX = new Uint8Array(256);
for (const mark of '{}<>()[]|`"\\ \t;,') SYNTAX[mark.charCodeAt(0)] = 1;

function featuresOf(bytes: Uint8Array, from: number, to: number): Features {
  const counts: Features = { lower: 0, upper: 0, digits: 0, hex: 0, marks: 0, hexPiece: false, syntax: 0 };
  let [pieceFrom, pieceHex, pieceDigits] = [from, 0, 0];
  for (let at = from; at <= to; at++) {
    const byte = at < to ? (bytes[at] as number) : HYPHEN;
    const alphanumeric = ALPHANUMERIC[byte] === 1;
    if (alphanumeric) {
      const isHex = HEX[byte] as number;
      const isDigit = byte <= 0x39;
      counts.hex += isHex;
      pieceHex += isHex;
      if (isDigit) {
        counts.digits++;
        pieceDigits++;
      } else if (byte >= 0x61) counts.lower++;
      else counts.upper++;
      continue;
    }
    const length = at - pieceFrom;
    const usual = length >= 32 || (length >= 16 && length % 2 === 0);
    if (usual && pieceHex === length && pieceDigits >= length / 8 && pieceDigits < length) counts.hexPiece = true;
    [pieceFrom, pieceHex, pieceDigits] = [at + 1, 0, 0];
    if (at === to) break;
    if (SYNTAX[byte] === 1 || byte < 0x20) counts.syntax++;
    else counts.marks++;
  }
  return counts;
}

/** Punctuation that ends a sentence, or emphasis in it. A bare value may contain it, too. */
const SENTENCE_MARKS = charset('.!?:*_');

/** End of a value in a sentence: before its punctuation. */
export function beforeMarks(view: View, from: number, to: number): number {
  return view.runStart(SENTENCE_MARKS, to, to - from);
}

const UUID = /^\{?[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\}?$/i;

export function isUuid(text: string): boolean {
  return text.length >= 36 && text.length <= 38 && UUID.test(text);
}

/**
 * Identifiers, keys and secrets whose form shows that they are not secret: a ULID of these years, a public key (X.509), a sealed
 * secret, a hash of a chemical structure (InChIKey), a key that web pages show (Stripe, Clerk, Mapbox, Supabase, PostHog).
 */
const OPEN =
  /^[A-Z]{14}-[A-Z]{10}-[A-Z]$|^01[0-9A-HJKMNP-TV-Z]{24}$|^MI[GI]\w{0,6}?(?:ANBgkqhkiG9w0BAQEFAAOCA|MA0GCSqGSIb3DQEBAQUAA4)|^MFkwEwYHKoZIzj0CAQ|^MCowBQYDK2V|^Ag[A-D][A-Za-z0-9+/]{101}|^(?:pk_live_|pk_test_|pk\.eyJ|sb_publishable_|phc_)/;

/**
 * Values that are references or computed: variables, templates, paths (padded base64 is none), addresses, hashes with their
 * algorithm.
 */
const ELSEWHERE =
  /^(?:[$%@&*~.]|\/(?:[a-z]{3}|(?![A-Za-z0-9+/]{15,}={1,2}$))|[A-Za-z]:[\\/]|data:|arn:|urn:|sha\d|md5|0x[0-9a-fA-F]*$|projects\/|vault:|ref[+:]|ENC\[|\w+:\/\/)|:\/\/|\$[{(A-Za-z_]|%[sdv(]|process\.env/;
/** Names of files and hosts. */
const NAMED_PLACE = /\.(?:pem|key|crt|json|ya?ml|js|ts|png|jpe?g|svg|html?|txt|md|com|org|net|io)$/;

/**
 * Whether the value so far already rules out a secret, for any name: a text that arrives in pieces need not wait for its end. A
 * result for the beginning applies to the whole value.
 *
 * @param strengthOf called only when nothing else decides
 */
export function cannotBeSecret(view: View, strengthOf: (view: View) => Strength): boolean {
  const { from, to, form } = view.assigned;
  if (to === from) return false;
  if (ELSEWHERE_BEGINS[view.at(from)] === 1 || isPath(view, from) || readsLikeWords(view, from, to)) return true;
  if (form === LOOSE && to - from > LONGEST_SCHEME && isPlainWord(view, from)) return true;
  for (let at = from; at < to; at++) if (SYNTAX[view.at(at)] === 1) return true;
  const strength = strengthOf(view);
  return strength === NONE || (strength !== STRONG && (form === LOOSE || form === ARGUMENT));
}

/** What is longer is no authorization scheme before the value. */
const LONGEST_SCHEME = 9;
const ELSEWHERE_BEGINS = charset('$%@&*~.');
const SOLIDUS = 0x2f;
const SMALL = charset('a-z');

/** Base64 may begin with a solidus too, but seldom with one and a word. */
function isPath(view: View, from: number): boolean {
  return view.at(from) === SOLIDUS && view.runEnd(SMALL, from + 1, 3) === from + 4;
}

/** The properties of a value's bytes, computed before and independent of the name. */
interface Appraisal {
  readonly hex: boolean;
  readonly digits: number;
  readonly classes: number;
  /** Bits a character (see `crossEntropy`). */
  readonly bits: number;
}

/** Counts and weighs a value; null when no name could make it a secret. Comes first because it is the cheapest to ask. */
function appraise(view: View, { from, to, closer, form }: Assigned): Appraisal | null {
  const length = to - from;
  if (length < 8 || closer === OPENING_PARENTHESIS || readsLikeWords(view, from, to)) return null;
  if (form === LOOSE && isPlainWord(view, from)) return null;
  const counts = featuresOf(view.bytes, from, to);
  const alphanumeric = counts.lower + counts.upper + counts.digits;
  if (counts.syntax > 0 || counts.digits === length || counts.marks > Math.max(2, length / 3)) return null;
  if (alphanumeric < 6) return null;
  const hex = counts.hexPiece && (counts.upper === 0 || counts.lower === 0);
  const bits = crossEntropy(view.bytes, from, to);
  if (!hex && bits < baseThreshold(length)) return null;
  if (isMonotonous(view.bytes, from, to)) return null;
  const classes =
    Number(counts.lower > 0) + Number(counts.upper > 0) + Number(counts.digits > 0) + Number(counts.marks > 0);
  return { hex, digits: counts.digits, classes, bits };
}

/**
 * Whether a value that a name announces reads as a generated secret. The stronger the name, the less it takes. Values
 * that are words, code, templates, paths, identifiers (UUID), placeholders or plain numbers are not findings.
 *
 * @param strengthOf asked only when the value could be one
 */
export function isSecretValue(view: View, strengthOf: (view: View) => Strength): boolean {
  const assignment = view.assigned;
  if (isTag(view, false)) return false; // before the bytes are counted: a text can be made of tags that overlap
  const appraisal = appraise(view, assignment);
  if (appraisal === null) return false;
  const strength = strengthOf(view);
  if (strength === NONE) return false;
  const length = assignment.to - assignment.from;
  const generated =
    (appraisal.hex && takesHex(strength, assignment.form) && length >= (strength === STRONG ? 16 : 32)) ||
    appraisal.bits >= threshold(length, appraisal.classes, strength, assignment.form);
  if (!generated) return false;
  const text = view.text(assignment.from, assignment.to);
  if (isTag(view, strength !== STRONG)) return false;
  return !ELSEWHERE.test(text) && !NAMED_PLACE.test(text) && !isUuid(text) && !OPEN.test(text) && !saysSo(text);
}

/**
 * `registry.internal/auth:<commit>`, the tag of an image, or `arn:…:secret:app/db-1a2B3c`, a part of a resource's name: the
 * colon touches both, and neither is in quotes.
 *
 * @param doubtful the name says little: `api:<commit>` is one without a path before it, too
 */
export function isTag(view: View, doubtful: boolean): boolean {
  const { assigned } = view;
  if (assigned.form !== BARE || assigned.from !== assigned.nameTo + 1 || view.at(assigned.nameTo) !== COLON)
    return false;
  const name = nameStart(view, assigned);
  const before = view.at(name - 1);
  return doubtful || before === COLON || (before === SOLIDUS && ALPHANUMERIC[view.at(name - 2)] === 1);
}

/** Hexadecimal digits are as often a hash as a key: a sentence, or a weak name around a call, does not decide. */
function takesHex(strength: Strength, form: Form): boolean {
  return form !== LOOSE && (strength === STRONG || form !== ARGUMENT);
}

function baseThreshold(length: number): number {
  return length >= 20 ? 5.3 : length >= 16 ? 5.6 : length >= 12 ? 5.9 : 6.3;
}

/** Bits a character from which a value counts as generated; Infinity where none does. */
function threshold(length: number, classes: number, strength: Strength, form: Form): number {
  const fewer = classes === 1 ? 0.5 : 0;
  const doubt = (strength === STRONG ? 0 : 0.5) + (form === BARE ? 0.2 : 0) + (form === ARGUMENT ? 0.3 : 0);
  if (form === LOOSE) {
    const mixed = length >= 16 && classes > 2;
    return strength === STRONG && (mixed || (length >= 32 && classes === 2)) ? 6.3 : Number.POSITIVE_INFINITY;
  }
  if (length < 12 && (strength !== STRONG || classes < 3 || form === BARE)) return Number.POSITIVE_INFINITY;
  if (length < 16 && classes < 2) return Number.POSITIVE_INFINITY;
  if (strength !== STRONG && (classes < 2 || length < 20 || form === ARGUMENT)) return Number.POSITIVE_INFINITY;
  return baseThreshold(length) + fewer + doubt;
}
