/** A key shorter than this is no secret worth the damage that masking it would do to ordinary text (relay-23). */
const SHORTEST = 8;
const ASTERISK = 0x2a;
const BACKSLASH = 0x5c;
const UNICODE_ESCAPE = Buffer.from('\\u00');
/** What JSON may escape by a backslash before the character itself. */
const ESCAPABLE = '"\\/';
/** A sentence may name a host or a file in any script. Headers are Latin-1. */
const BEYOND_LATIN_1 = /[^\0-\xff]/;

/** Masks by their key: keys are few, and change with a restart only. */
const MASKS = new Map<string, KeyMask>();

/** @returns null where there is nothing to mask: no key, or one of fewer than 8 characters. */
export function keyMaskOf(key: string | null): KeyMask | null {
  if (key === null || key.length < SHORTEST) return null;
  const known = MASKS.get(key);
  if (known !== undefined) return known;
  const made = new KeyMask(key);
  MASKS.set(key, made);
  return made;
}

/** The match at an offset: not the key, its beginning cut off by the end, or a number of bytes of it. */
const NO = -1;
const CUT = 0;

/**
 * Replaces a provider's key that an engine repeats by as many asterisks: announced lengths stay true. In bytes the key is found
 * in Latin-1, in UTF-8, and with any of its characters escaped as JSON allows.
 */
export class KeyMask {
  readonly key: string;
  readonly #plain: Buffer;
  /** For each character of the key, the ways to write it: what is longer comes first. */
  readonly #forms: readonly (readonly Buffer[])[];
  /** By the first byte of a form of the key's first character. */
  readonly #begins = new Uint8Array(256);
  /** Most bytes that the key can take. */
  readonly #longest: number;
  /** Whether a form exists that the plain bytes do not show, without an escape of the kind `\u00…`. */
  readonly #varies: boolean;

  constructor(key: string) {
    this.key = key;
    this.#plain = Buffer.from(key, 'latin1');
    this.#forms = Array.from(key, formsOf);
    for (const form of this.#forms[0] ?? []) this.#begins[form[0] as number] = 1;
    this.#longest = this.#forms.reduce((sum, forms) => sum + Math.max(...forms.map(({ length }) => length)), 0);
    this.#varies = Array.from(key).some((character) => character > '\x7f' || ESCAPABLE.includes(character));
  }

  /** A header's value, a reason phrase or a sentence without the key; the same string where it has none. */
  text(text: string): string {
    const isPlain = !this.#varies && !text.includes('\\');
    if (text.length < this.key.length || (isPlain && !text.includes(this.key))) return text;
    const encoding = BEYOND_LATIN_1.test(text) ? 'utf8' : 'latin1';
    const bytes = Buffer.from(text, encoding);
    const masked = this.bytes(bytes, true);
    return masked.bytes === bytes ? text : masked.bytes.toString(encoding);
  }

  /**
   * Bytes without the key; the same buffer where they have none. The argument is never changed.
   * @param last nothing follows. Otherwise `clear` is the end of the decided bytes: the key may begin there.
   */
  bytes(given: Buffer, last: boolean): { readonly bytes: Buffer; readonly clear: number; readonly found: boolean } {
    let bytes = given;
    for (let at = this.#firstCandidate(given); at < given.length; at++) {
      if (this.#begins[given[at] as number] === 0) continue;
      const length = this.#lengthAt(given, at);
      if (length === NO) continue;
      if (length === CUT) {
        if (last) continue;
        return { bytes, clear: at, found: bytes !== given };
      }
      if (bytes === given) bytes = Buffer.from(given);
      bytes.fill(ASTERISK, at, at + length);
      at += length - 1;
    }
    return { bytes, clear: given.length, found: bytes !== given };
  }

  /** Where the first match can begin. Most bytes have none, which one native search shows for all except the last few. */
  #firstCandidate(bytes: Buffer): number {
    if (bytes.includes(UNICODE_ESCAPE) || this.#varies) return 0;
    const plain = bytes.indexOf(this.#plain);
    return plain >= 0 ? plain : Math.max(0, bytes.length - this.#longest + 1);
  }

  #lengthAt(bytes: Buffer, from: number): number {
    let at = from;
    for (const forms of this.#forms) {
      let next = NO;
      for (const form of forms) {
        const seen = sharedLength(bytes, at, form);
        if (seen === form.length) {
          next = at + seen;
          break;
        }
        if (at + seen === bytes.length) return CUT;
      }
      if (next === NO) return NO;
      at = next;
    }
    return at - from;
  }
}

/** How a character of the key can be written in an answer. */
function formsOf(character: string): readonly Buffer[] {
  const code = character.charCodeAt(0);
  const escapes = [Buffer.from(`\\u00${code.toString(16).padStart(2, '0')}`)];
  if (ESCAPABLE.includes(character)) escapes.push(Buffer.from(`\\${character}`));
  return [...escapes, ...(code > 0x7f ? [Buffer.from(character, 'utf8')] : []), Buffer.from(character, 'latin1')];
}

/** Number of bytes of a form at the offset; the digits of an escape in either case. */
function sharedLength(bytes: Buffer, from: number, form: Buffer): number {
  let count = 0;
  while (count < form.length && from + count < bytes.length) {
    const byte = bytes[from + count] as number;
    const isDigit = count > 3 && form[0] === BACKSLASH;
    if (byte !== form[count] && !(isDigit && (byte | 0x20) === form[count])) break;
    count++;
  }
  return count;
}
