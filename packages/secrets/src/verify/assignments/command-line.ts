import { BASE64_ANY, charset } from '../../text/charset.ts';
import { isQuote } from '../../text/unescape.ts';
import { crossEntropy } from '../cross-entropy.ts';
import { isMonotonous, isPassword, isPlaceholder } from '../placeholder.ts';
import { EVIDENCE, NO, type Tail, type Verdict, type View } from '../view.ts';
import { isUuid } from './value.ts';

const LOOKBACK = 96;
const LONGEST = 64;
/** Bits a character under which a value counts as a word. */
const LEAST = 4.2;
const LESS = 0x3c;
const HYPHEN = 0x2d;

/**
 * Programs whose short option takes a password; capitals count. A blank between the option and its value is distinguished:
 * `-p 3306` is a port.
 */
const GLUED: { readonly [option: string]: RegExp } = {
  ' -p': /\b(?:mysql|mysqldump|mysqladmin|mariadb|sshpass|7z[arz]?|rar|unrar)\b/,
  ' -P': /\b(?:sqlcmd|bcp)\b/,
  ' -a': /\bredis-cli\b/,
  ' -w': /\bldap[a-z]+\b/,
};
const APART: { readonly [option: string]: RegExp } = {
  ' -p':
    /\b(?:sshpass|mongo(?:sh|dump|restore|import|export)?|(?:docker|podman|helm registry|oras|az acr|az|oc) login|psexec|smbmap|rabbitmqadmin|cypher-shell|cqlsh|crackmapexec|netexec|evil-winrm|security (?:unlock|create)-keychain)\b/,
  ' -P': /\b(?:sqlcmd|bcp|zip|unzip|ipmitool|mosquitto_(?:pub|sub|rr))\b/,
  ' -a': /\bredis-cli\b/,
  ' -w': /\bldap(?:search|add|modify|delete|passwd|whoami|compare|modrdn)\b/,
  ' -k': /\bopenssl (?:enc|aes|des|camellia|aria|chacha)/,
  ' -K': /\bopenssl (?:enc|aes|des|camellia|aria|chacha)/,
  '--password': /\s(?:-u|--[a-z-]*user(?:name)?)(?:[= ]|\b)/,
};
/** Options and variables that only a password follows, at the end of the text before the value. */
const PASSWORD_OPTIONS: { readonly [option: string]: RegExp } = {
  'storepass ': /-(?:src|dest)?$/,
  'keypass ': /-(?:src|dest)?$/,
  ' pass:': /-pass(?:in|out)?$/,
  ' -pw ': /\b(?:plink|pscp|psftp|putty)\b/i,
  'aws_secret_access_key ': /\bconfigure set (?:[\w.-]+\.)?$/,
  ':_authtoken ': /\bconfig set \S+$/,
  'rediscli_auth=': /(?:^|\W)$/,
  'sshpass=': /(?:^|\W)$/,
  'convertto-securestring ': /(?:^|\W)$/,
  'convertto-securestring -string ': /(?:^|\W)$/,
  'ansible_ssh_pass=': /(?:^|\W)$/,
  'ansible_become_pass=': /(?:^|\W)$/,
};
export const PASSWORD_OPTION_KEYWORDS: readonly string[] = Object.keys(PASSWORD_OPTIONS);

/** `mysql -pSECRET`, `redis-cli -a SECRET`, `docker login -p SECRET`: the value of an option, where the program is named before. */
export function checkOption(view: View, from: number, to: number): Verdict {
  if (view.waits(to)) return view.more(view.end);
  let at = to;
  while (at < to + 3 && view.at(at) === 0x20) at++;
  if (view.waits(at)) return view.more(view.end);
  return checkValue(view, from, at, (at > to ? APART : GLUED)[view.text(from, to)]);
}

/** `keytool -storepass SECRET`, `-passin pass:SECRET`, `SSHPASS=SECRET`, `ConvertTo-SecureString SECRET`: the option or the variable alone is sufficient. */
export function checkPasswordOption(view: View, from: number, to: number): Verdict {
  if (view.waits(to)) return view.more(view.end);
  if (view.at(to) === HYPHEN) return NO; // the next option
  return checkValue(view, from, to, PASSWORD_OPTIONS[view.text(from, to).toLowerCase()]);
}

function checkValue(view: View, from: number, at: number, before: RegExp | undefined): Verdict {
  if (before === undefined) return NO;
  const quote = isQuote(view.at(at)) ? view.at(at) : 0;
  const start = quote === 0 ? at : at + 1;
  const line = view.text(Math.max(view.floor, from - LOOKBACK), from);
  if (!before.test(line.slice(line.lastIndexOf('\n') + 1))) return NO;
  let end = start;
  for (; ; end++) {
    if (view.waits(end)) return view.more(start);
    const byte = view.at(end);
    if (byte < 0x21 || (quote === 0 ? isQuote(byte) || byte === LESS : byte === quote)) break;
    if (end - start >= LONGEST) return NO;
  }
  return isPassword(view.text(start, end), '', LEAST) ? view.found(start, end) : NO;
}

const TOKEN68 = charset('A-Za-z0-9._~+/=-');
const TAIL: Tail = { type: 'run', set: TOKEN68, joiners: null };

/** `Bearer <token>` (RFC 6750): any opaque token that reads as generated. */
export function checkBearer(view: View, from: number, to: number): Verdict {
  if (isWordBefore(view, from)) return NO;
  const end = view.runEnd(TOKEN68, to, EVIDENCE);
  const open = end - to === EVIDENCE;
  if (!open && view.waits(end)) return view.more(to);
  const last = open ? end : trimPunctuation(view, to, end);
  if (last - to < 16 || isPlaceholder(view, to, last)) return NO;
  const text = view.text(to, last);
  const opaque = /^[0-9a-f]{24,}$/i.test(text) || isUuid(text) || crossEntropy(view.bytes, to, last) >= 5;
  return opaque ? view.found(to, last, open ? TAIL : null) : NO;
}

/** `Basic <base64 of user:password>` (RFC 7617). */
export function checkBasic(view: View, from: number, to: number): Verdict {
  if (isWordBefore(view, from)) return NO;
  const end = view.runEnd(BASE64_ANY, to, EVIDENCE);
  const open = end - to === EVIDENCE;
  if (!open && view.waits(end)) return view.more(to);
  if (end - to < 12 || isMonotonous(view.bytes, to, end)) return NO;
  const tail = open ? TAIL : null;
  const decoded = Buffer.from(view.text(to, end), 'base64').toString('latin1');
  const pair = /^([\x20-\x7e]*?):([\x20-\x7e]*)$/.exec(decoded);
  if (pair !== null) return isPassword(pair[2] ?? '', pair[1] ?? '', 3.4) ? view.found(to, end, tail) : NO;
  return crossEntropy(view.bytes, to, end) >= 5.6 ? view.found(to, end, tail) : NO;
}

/** Programs whose option takes a user and a password, and what separates the two. */
const USER_OPTIONS: readonly (readonly [program: RegExp, separator: number])[] = [
  [/\b(?:curl\b|https?(?: |$))/, 0x3a],
  [/\b(?:smbclient|rpcclient|smbget|smbcacls|smbcquotas|winexe|net (?:rpc|ads))\b/, 0x25],
  [/\blftp\b/, 0x2c],
];
const AUTHORIZATION_LOOKBACK = 128;

/** `curl -u user:password`, `curl --user user:password`, `smbclient -U user%password`, `lftp -u user,password`. */
export function checkUserOption(view: View, from: number, to: number): Verdict {
  let at = to;
  if (view.waits(at)) return view.more(at);
  if (view.at(at) === 0x20) at++;
  if (view.waits(at)) return view.more(at);
  const before = view.text(Math.max(view.floor, from - AUTHORIZATION_LOOKBACK), from);
  const separator = USER_OPTIONS.find(([program]) => program.test(before))?.[1];
  if (separator === undefined) return NO;
  const quote = view.at(at);
  if (isQuote(quote)) at++;
  const start = at;
  for (let separated = -1; at < start + EVIDENCE; at++) {
    if (view.waits(at)) return view.more(separated < 0 ? at : separated + 1);
    const byte = view.at(at);
    if (isQuote(quote) && byte !== quote && isQuote(byte)) return NO;
    if (byte === separator && separated < 0) separated = at;
    const ended = byte < 0x20 || (isQuote(quote) ? byte === quote : byte === 0x20 || byte === LESS || isQuote(byte));
    if (!ended) continue;
    if (separated < 0 || !isPassword(view.text(separated + 1, at), view.text(start, separated), 3.6)) return NO;
    return view.found(separated + 1, at);
  }
  return NO;
}

function isWordBefore(view: View, from: number): boolean {
  const before = view.at(from - 1);
  return (before >= 0x61 && before <= 0x7a) || (before >= 0x41 && before <= 0x5a);
}

/** A full stop or dash that ends the sentence is not part of the token. */
function trimPunctuation(view: View, from: number, to: number): number {
  let at = to;
  while (at > from && (view.bytes[at - 1] === 0x2e || view.bytes[at - 1] === 0x2d)) at--;
  return at;
}
