import { crossEntropy } from './cross-entropy.ts';
import { wordsOf } from './name.ts';
import type { View } from './view.ts';

/** Words that mark a placeholder, too long to occur in a generated value by chance. Lower case. */
const WORDS = [
  'example',
  'placeholder',
  'redacted',
  'changeme',
  'change_me',
  'change-me',
  'changeit',
  'replace',
  'yourkey',
  'yourtoken',
  'yoursecret',
  'yourapi',
  'yourpass',
  'youraccess',
  'notreal',
  'not-real',
  'not_real',
  'secretkey',
  'mysecret',
  'my-secret',
  'my_secret',
  'supersecret',
  'testtest',
  '....',
  '***',
] as const;

/** Shorter ones: of a hundred thousand generated values some contain one. They count where little else is left of the value. */
const SHORT_WORDS = [
  'insert',
  'dummy',
  'sample',
  'your_',
  'your-',
  'xxxx',
  '-here',
  '_here',
  'todo_',
  'todo-',
  '_todo',
  '-todo',
  'fixme',
  'foobar',
  '...',
] as const;
/** Bytes, and bits a character, of a rest that is itself generated. */
const REST = 14;
const REST_BITS = 6;
/** Hexadecimal digits surprise less. */
const HEXADECIMAL = /^[0-9a-f:-]+$/i;
/** Beside a word, and beside a row of one digit, which is more probable in twelve digits by chance. */
const REST_HEX = 20;
const REST_HEX_OF_ROW = 11;
const REST_HEX_BITS = 3.5;

/**
 * Whether a value is a placeholder: it contains such words, repeats one character, or counts up through the alphabet or the
 * digits. Applies to values of known forms as well, since documentation shows those.
 */
export function isPlaceholder(view: View, from: number, to: number): boolean {
  if (isMonotonous(view.bytes, from, to)) return true;
  const text = view.text(from, to);
  return saysSo(text) || saysSo(decodedText(text));
}

const BASE64 = /^[A-Za-z0-9+/]{8,}={0,2}$/;
const PRINTABLE = /^[\x20-\x7e\r\n]+$/;

/** The text of which a value is the base64; empty where it is none. */
function decodedText(value: string): string {
  if (!BASE64.test(value)) return '';
  const text = Buffer.from(value, 'base64').toString('latin1');
  return PRINTABLE.test(text) ? text : '';
}

export function saysSo(text: string): boolean {
  const lower = text.toLowerCase();
  if (WORDS.some((word) => lower.includes(word))) return true;
  const word = SHORT_WORDS.find((each) => lower.includes(each));
  if (word === undefined) return false;
  const at = lower.indexOf(word);
  return !isGenerated(text.slice(0, at) + text.slice(at + word.length), REST_HEX);
}

/** Whether the value without its placeholder part still looks generated. */
function isGenerated(rest: string, leastHex: number): boolean {
  const bytes = Buffer.from(rest, 'latin1');
  const [least, bits] = HEXADECIMAL.test(rest) ? [leastHex, REST_HEX_BITS] : [REST, REST_BITS];
  return bytes.length >= least && crossEntropy(bytes, 0, bytes.length) >= bits;
}

/**
 * One byte repeated, too few different bytes, or an ascending row, which no generated value of that length has. A short row of
 * one byte counts when its context does not look generated.
 */
export function isMonotonous(bytes: Uint8Array, from: number, to: number): boolean {
  const length = to - from;
  let [same, longestSame, rising, longestRising, risen] = [1, 1, 1, 1, 0];
  let [low, high, sameTo] = [0, 0, 0];
  let previous = -1;
  for (let at = from; at < to; at++) {
    const byte = fold(bytes[at] as number);
    if (byte < 0x40) low |= 1 << (byte & 31);
    else high |= 1 << (byte & 31);
    same = byte === previous ? same + 1 : 1;
    if (byte === previous + 1 || (previous === 0x39 && (byte === 0x30 || byte === 0x61))) {
      rising++;
      risen++;
    } else rising = 1;
    if (same > longestSame) [longestSame, sameTo] = [same, at + 1];
    if (rising > longestRising) longestRising = rising;
    previous = byte;
  }
  const different = bits(low) + bits(high);
  if (longestRising >= 8 || risen * 5 >= length * 3 || different < Math.min(3 + length / 8, 8)) return true;
  if (longestSame < Math.max(5, length / 6)) return false;
  return (
    longestSame * 3 >= length ||
    !isGenerated(withoutRow(bytes, from, to, sameTo - longestSame, sameTo), REST_HEX_OF_ROW)
  );
}

function withoutRow(bytes: Uint8Array, from: number, to: number, rowFrom: number, rowTo: number): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString('latin1');
  return text.slice(0, rowFrom - from) + text.slice(rowTo - from);
}

function fold(byte: number): number {
  return byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte;
}

function bits(flags: number): number {
  let rest = flags;
  let count = 0;
  while (rest !== 0) {
    rest &= rest - 1;
    count++;
  }
  return count;
}

/** Words that documentation and local set-ups write where a password belongs. */
const COMMON = new Set(
  (
    'password passwd pass pwd pw secret token key user username admin administrator root guest test testing tester demo default mysql postgres postgresql ' +
    'mongo mongodb redis rabbitmq oracle sa anonymous foo bar baz qux hello world qwerty letmein welcome passw0rd p4ssw0rd pass123 password1 ' +
    'password123 admin123 test123 secret123 root123 user123 none null undefined empty string value mypassword mypass mypwd userpass userpassword dbpass ' +
    'dbpassword rootpass rootpassword postgrespw testpass testpassword somepassword somepass thepassword pass1 pass2 pwd1 pwd2 x xx xxx xyz abc abcd abcde abcdef abc123 docker ' +
    'something somesecret s3cret hunter2 mypasswd pswd p pw1 credentials cred creds auth apikey api_key access_token oauth2 x-oauth-basic x-token-auth host hostname port database db scott tiger'
  ).split(' '),
);
const TEMPLATE =
  /[{}<>()[\]|`"'\\\s]|^\*|\*\*|\*$|\$[A-Za-z_({]|^[$%:@]|%[sdv]|^%[A-Z_]+%$|^[A-Z]+_[A-Z_]+$|^\.+$|^#|\.\.\./;

/** So many hexadecimal digits were generated, although each surprises less than a letter does. */
const PASSWORD_HEXADECIMAL = /^(?=.*\d)(?=.*[a-f])[0-9a-f]{16,}$/i;

/** Minimum bits per character in the position of a password (see `crossEntropy`); no limit for hexadecimal digits. */
export function passwordBits(bytes: Uint8Array, from: number, to: number): number {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString('latin1');
  const generated = PASSWORD_HEXADECIMAL.test(text) && !isMonotonous(bytes, from, to);
  return generated ? Number.POSITIVE_INFINITY : crossEntropy(bytes, from, to);
}

/** The user's own name still counts as a password when it is long and reads as generated. */
const TWICE = 6.2;
const TWICE_LENGTH = 8;

/**
 * Whether the text in the position of a password (an address, a command line, basic authentication) is one: no word of
 * documentation, not the user's own name (`TWICE`), no variable of a template, no plain dictionary word.
 *
 * @param least bits per character under which a value counts as a word (see `crossEntropy`)
 */
export function isPassword(text: string, user: string, least: number): boolean {
  if (text.length < 5) return false;
  const bytes = Buffer.from(text, 'latin1');
  const lower = text.toLowerCase();
  const bits = passwordBits(bytes, 0, bytes.length);
  if (bits < least || (lower === user.toLowerCase() && (bits < TWICE || text.length < TWICE_LENGTH))) return false;
  if (TEMPLATE.test(text)) return false;
  if (COMMON.has(lower) || COMMON.has(lower.replace(/[!@#$*\d]+$/, '')) || saysSo(text)) return false;
  if (wordsOf(text).every((word) => COMMON.has(word))) return false;
  return !/^(.)\1*$/.test(text) && !/^\d{1,5}$/.test(text);
}
