import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw, createZstdDecompress } from 'node:zlib';
import type { Channel, ChannelStep, Scanner } from '@gateway/secrets';
import type { Answer, AnswerHead, Settlement, Work } from './last-event.ts';
import { afterWork } from './paced.ts';

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

/**
 * A scanner that removes the provider's key from channels: an engine may split it over the events of a stream. A whole key in the
 * bytes of an answer was masked before.
 * @param found called where a channel contains the key
 */
export function withMask(scanner: Scanner, key: string, found: () => void): Scanner {
  return {
    ...scanner,
    channel(responses, pointer, encoding) {
      const inner = scanner.channel(responses, pointer, encoding);
      return encoding === 'latin1' ? inner : new MaskedChannel(inner, key, found);
    },
  };
}

class MaskedChannel implements Channel {
  readonly #inner: Channel;
  readonly #key: string;
  readonly #first: number;
  readonly #found: () => void;
  /** The end of the text, where the key may have begun. */
  #waiting = '';

  constructor(inner: Channel, key: string, found: () => void) {
    this.#inner = inner;
    this.#key = key;
    this.#first = key.charCodeAt(0);
    this.#found = found;
  }

  get held(): number {
    return this.#waiting.length + this.#inner.held;
  }

  push(text: string): ChannelStep {
    return this.#inner.push(this.#masked(text));
  }

  passes(bytes: Uint8Array, from: number, to: number): boolean {
    if (this.#waiting !== '') return false;
    for (let at = from; at < to; at++) if (bytes[at] === this.#first && this.#begins(bytes, at, to)) return false;
    return this.#inner.passes(bytes, from, to);
  }

  end(): ChannelStep {
    const rest = this.#waiting;
    this.#waiting = '';
    if (rest === '') return this.#inner.end();
    const last = this.#inner.push(rest);
    const end = this.#inner.end();
    return {
      text: last.text + end.text,
      findings: [...last.findings, ...end.findings],
      blocked: last.blocked || end.blocked,
    };
  }

  #masked(text: string): string {
    const key = this.#key;
    const parts = (this.#waiting + text).split(key);
    const last = parts.pop() ?? '';
    if (parts.length > 0) this.#found();
    const clear = this.#clearUpTo(last);
    this.#waiting = last.slice(clear);
    return [...parts, last.slice(0, clear)].join('*'.repeat(key.length));
  }

  /** Where the beginning of the key is at the end of a text; the text's length where it is not. */
  #clearUpTo(text: string): number {
    const first = this.#key.slice(0, 1);
    let at = text.indexOf(first, Math.max(0, text.length - this.#key.length + 1));
    while (at >= 0 && !this.#key.startsWith(text.slice(at))) at = text.indexOf(first, at + 1);
    return at < 0 ? text.length : at;
  }

  /** Whether the key, or a beginning of it that the end cuts off, is there. */
  #begins(bytes: Uint8Array, from: number, to: number): boolean {
    const length = Math.min(this.#key.length, to - from);
    for (let index = 0; index < length; index++) if (bytes[from + index] !== this.#key.charCodeAt(index)) return false;
    return true;
  }
}

const NO_BYTES = Buffer.alloc(0);

/** The head of an answer without the provider's key, in any header. */
export function maskHead(head: AnswerHead, mask: KeyMask): AnswerHead {
  return { ...head, reason: mask.text(head.reason), headers: head.headers.map((text) => mask.text(text)) };
}

/**
 * Takes the provider's key out of an answer before anything else sees it (relay-23). Only bytes that may be the
 * beginning of the key wait for those that follow.
 */
export class MaskedAnswer implements Answer {
  readonly #inner: Answer;
  readonly #mask: KeyMask;
  readonly #found: () => void;
  #held: Buffer = NO_BYTES;

  /** @param found called once, at the first occurrence of the key */
  constructor(inner: Answer, mask: KeyMask, found: () => void) {
    this.#inner = inner;
    this.#mask = mask;
    this.#found = found;
  }

  write(chunk: Buffer): boolean | Work {
    const came = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    const { bytes, clear, found } = this.#mask.bytes(came, false);
    if (found) this.#found();
    this.#held = clear === bytes.length ? NO_BYTES : bytes.subarray(clear);
    if (clear === 0) return true;
    return this.#inner.write(clear === bytes.length ? bytes : bytes.subarray(0, clear));
  }

  end(settlement: Settlement): Work | null {
    return this.#flush(() => this.#inner.end(settlement));
  }

  breakOff(): Work | null {
    return this.#flush(() => this.#inner.breakOff());
  }

  refuse(refused: Parameters<Answer['refuse']>[0]): void {
    this.#inner.refuse(refused);
  }

  /** What waited turned out to be the beginning only. */
  #flush(next: () => Work | null): Work | null {
    const held = this.#held;
    this.#held = NO_BYTES;
    const written = held.length === 0 || this.#inner.write(this.#mask.bytes(held, true).bytes);
    return typeof written === 'boolean' ? next() : afterWork(written, next);
  }
}

/** Chained codings beyond this are an attack, not a provider. */
const MOST_CODINGS = 4;

/** Maximum bytes of a decoded answer. Memory stays bounded below it too, because the caller's pace limits the decoder. */
const MOST_DECODED = 4 * 1024 ** 3;

interface DecoderEvents {
  /** @returns false where the decoder must wait until it is resumed. */
  data(chunk: Buffer): boolean;
  end(): void;
  error(error: Error): void;
  /** The decoder takes more again. */
  drained(): void;
}

/** Undoes the codings of an answer whose `content-encoding` is removed (relay-17). */
export interface Decoder {
  /** @returns false where it accepts no more until `drained`. */
  write(chunk: Buffer): boolean;
  end(): void;
  resume(): void;
  destroy(): void;
}

/** @returns null where a coding is unknown or there are too many. */
export function createDecoder(codings: readonly string[], events: DecoderEvents): Decoder | null {
  if (codings.length > MOST_CODINGS || codings.some((coding) => !KNOWN.has(coding))) return null;
  const stages: Transform[] = [];
  let decoded = 0;
  let over = false;
  const fail = (error: Error): void => {
    if (over) return;
    over = true;
    for (const stage of stages) stage.destroy();
    events.error(error);
  };
  const end = (): void => {
    if (over) return;
    over = true;
    events.end();
  };

  /** Each stage is made at its first bytes, for `deflate` shows only there which of its two forms it is. */
  function open([coding = '', ...inner]: readonly string[], first: Buffer): Transform {
    const stage = stageOf(coding, first);
    stages.push(stage);
    stage.on('error', fail);
    stage.once('end', end); // of an inner one that was never made, too: nothing decodes to nothing
    if (inner.length === 0) deliver(stage);
    else {
      stage.once('data', (chunk: Buffer) => {
        stage.off('end', end);
        stage.pause();
        const next = open(inner, chunk);
        next.write(chunk);
        stage.pipe(next);
      });
    }
    return stage;
  }

  function deliver(last: Transform): void {
    last.on('data', (chunk: Buffer) => {
      if (over) return;
      decoded += chunk.length;
      if (decoded > MOST_DECODED) fail(new Error('the answer decodes to more than 4 GiB'));
      else if (!events.data(chunk)) last.pause();
    });
  }

  return {
    write(chunk) {
      if (over) return true;
      const stage = stages[0] ?? open(codings.toReversed(), chunk).on('drain', () => events.drained());
      return stage.write(chunk);
    },
    end() {
      const [stage] = stages;
      if (stage === undefined) end();
      else stage.end();
    },
    resume() {
      stages.at(-1)?.resume();
    },
    destroy() {
      over = true;
      for (const stage of stages) stage.destroy();
    },
  };
}

const KNOWN = new Set(['gzip', 'x-gzip', 'deflate', 'br', 'zstd']);

function stageOf(coding: string, first: Buffer): Transform {
  switch (coding) {
    case 'br':
      return createBrotliDecompress();
    case 'zstd':
      return createZstdDecompress();
    case 'deflate':
      // RFC 9110 means the zlib form; some servers send the bare one, whose first byte has another low half.
      return ((first[0] ?? 0) & 0x0f) === 8 ? createInflate() : createInflateRaw();
    default:
      return createGunzip();
  }
}
