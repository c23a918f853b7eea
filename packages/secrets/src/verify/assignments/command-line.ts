import { isQuote } from '../../text/quotes.ts';
import { isPassword } from '../password.ts';
import { NO, type Verdict, type View } from '../view.ts';

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
