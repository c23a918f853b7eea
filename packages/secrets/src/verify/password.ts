import { crossEntropy } from './cross-entropy.ts';
import { wordsOf } from './name.ts';
import { isMonotonous, saysSo } from './placeholder.ts';

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
const HEXADECIMAL = /^(?=.*\d)(?=.*[a-f])[0-9a-f]{16,}$/i;

/** Minimum bits per character in the position of a password (see `crossEntropy`); no limit for hexadecimal digits. */
export function passwordBits(bytes: Uint8Array, from: number, to: number): number {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString('latin1');
  const generated = HEXADECIMAL.test(text) && !isMonotonous(bytes, from, to);
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
