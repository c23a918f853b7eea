import { BASE64_ANY, charset, WORD as WORD_BYTES } from '../../text/charset.ts';
import { isQuote } from '../../text/unescape.ts';
import { crossEntropy, readsLikeWords } from '../cross-entropy.ts';
import { isMonotonous, isPassword, isPlaceholder } from '../placeholder.ts';
import { EVIDENCE, NO, type Tail, type Verdict, type View } from '../view.ts';
import { isUuid } from './value.ts';

const LOOKBACK = 96;
const LONGEST_ARGUMENT = 64;
/** Bits a character under which a value counts as a word. */
const ARGUMENT_LEAST_BITS = 4.2;
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
    if (end - start >= LONGEST_ARGUMENT) return NO;
  }
  return isPassword(view.text(start, end), '', ARGUMENT_LEAST_BITS) ? view.found(start, end) : NO;
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

/** Bits a character under which a password counts as a word (see `isPassword`). */
const CALL_LEAST_BITS = 3.6;
const LEAST_LOOSE = 4.4;
const LONGEST_IN_CALL = 2 * EVIDENCE;
const BETWEEN = charset(' \t\r\n');
/** An argument that is no literal. */
const EXPRESSION = charset('A-Za-z0-9_$.&>-');
const COMMA = 0x2c;
const DOLLAR = 0x24;

/** Calls that open a connection or sign in, and the position of the password in their arguments, after the user's name. */
const CALLS: ReadonlyMap<string, number> = new Map([
  ...['mysqli_connect(', 'new mysqli(', 'new pdo(', 'mysql_connect(', 'mysql_pconnect(', 'pymysql.connect('].map(third),
  ...['mysqldb.connect(', 'drivermanager.getconnection(', 'dbi->connect(', 'new sequelize(', 'odbc_connect('].map(
    third,
  ),
  ...['ftp_login(', 'ssh2_auth_password(', 'smtp.plainauth('].map(third),
  ...['oci_connect(', 'oci_pconnect(', 'oracle.connect(', 'oracledb.connect(', 'networkcredential('].map(second),
  ...['passwordauthentication(', 'passwordcredentials(', 'basicauth(', 'basic_auth(', 'credentials.basic('].map(second),
  ...['.login(', 'auth=('].map(second),
]);
/** Names that say little about the called object. */
const LOOSE = new Set(['.login(', 'auth=(', 'basic_auth(', 'basicauth(']);

function second(keyword: string): [string, number] {
  return [keyword, 2];
}

function third(keyword: string): [string, number] {
  return [keyword, 3];
}

export const CALL_KEYWORDS: readonly string[] = [...CALLS.keys()];

/** `mysqli_connect("host", "user", "password"`, `new PDO(dsn, "user", "password"`, `HTTPBasicAuth("user", "password")`. */
export function checkConnectCall(view: View, from: number, to: number): Verdict {
  const keyword = view.text(from, to).toLowerCase();
  const last = CALLS.get(keyword) ?? 0;
  let at = to;
  let user = '';
  for (let argument = 1; argument <= last; argument++) {
    at = view.runEnd(BETWEEN, at, EVIDENCE);
    if (view.waits(at)) return view.more(view.end);
    const start = at;
    const quote = view.at(at);
    const literal = isQuote(quote);
    if (literal) at = literalEnd(view, at + 1, quote);
    else at = view.runEnd(EXPRESSION, at, EVIDENCE);
    if (at < 0 || at - to > LONGEST_IN_CALL) return NO;
    if (view.waits(at)) return view.more(literal && argument === last ? start + 1 : view.end);
    if (argument === last) {
      if (!literal) return NO;
      const least = LOOSE.has(keyword) ? LEAST_LOOSE : CALL_LEAST_BITS;
      return isPassword(view.text(start + 1, at), user, least) ? view.found(start + 1, at) : NO;
    }
    user = literal ? view.text(start + 1, at) : '';
    at = view.runEnd(BETWEEN, literal ? at + 1 : at, 4);
    if (view.waits(at)) return view.more(view.end);
    if (view.at(at) !== COMMA || (at === start && quote !== DOLLAR)) return NO;
    at++;
  }
  return NO;
}

/** Where the literal is closed; -1 when it is not on this line, or is too long. The end of the text when it ends before. */
function literalEnd(view: View, from: number, quote: number): number {
  for (let at = from; at < from + EVIDENCE; at++) {
    if (view.waits(at) || view.at(at) === quote) return at;
    if (view.at(at) < 0x20 && !isQuote(view.at(at))) return -1;
  }
  return -1;
}

/** `define('` has been read, the name with its quote too: what follows them up to the quote of the value. */
const BEFORE_SALT = charset(' \t,');
const LONGEST_GAP = 24;
const ONE_COMMA = /^[ \t]*,[ \t]*$/;
const QUOTE = 0x27;
/** All printable bytes but the quote and the backslash, blanks too: what WordPress draws them from. */
const SALT = charset(' !"#$%&()*+,./0-9:;<=>?@A-Z[]^_`a-z{|}~-');
const LENGTH = 64;
/** Bits a character under which a phrase counts as words. */
const SALT_LEAST_BITS = 4.8;

/** `define('AUTH_KEY', '<64 characters>');`, which sign the cookies of a WordPress site: marks and blanks are a third of them. */
export function checkWordPressSalt(view: View, _from: number, to: number): Verdict {
  const quote = view.runEnd(BEFORE_SALT, to, LONGEST_GAP);
  if (view.waits(quote)) return view.more(view.end);
  if (view.at(quote) !== QUOTE || !ONE_COMMA.test(view.text(to, quote))) return NO;
  const from = quote + 1;
  const end = view.runEnd(SALT, from, LENGTH);
  if (readsLikeWords(view, from, end)) return NO;
  if (view.waits(end)) return view.more(from);
  if (end - from !== LENGTH || view.at(end) !== QUOTE || isMonotonous(view.bytes, from, end)) return NO;
  return crossEntropy(view.bytes, from, end) >= SALT_LEAST_BITS ? view.found(from, end) : NO;
}

/** Bits a character under which a value counts as a word. */
const OPERAND_LEAST_BITS = 4.2;
const LONGEST_OPERAND = 160;
const ANY_QUOTE = '["\'`\\x01-\\x05]?';
const LETTER = '[^\\s"\'`\\x01-\\x05<]';
const VALUE = `${ANY_QUOTE}(?<password>${LETTER}{5,64})(?!${LETTER})`;
/** A word that is no option. */
const WORD = '[^\\s-]\\S* +';
const HTPASSWD_OPTIONS = '\\w+ +(?:\\d+ +)?(?:-\\w+ +(?:\\d+ +)?)*';
/** Programs that read a password from their standard input, and the option of others that does. */
const PROGRAMS = 'sudo(?: -[\\w-]+){0,4} -[A-Za-z]*S\\b|(?:sudo )?(?:passwd --stdin|kinit|cryptsetup)\\b';
const READERS = `(?:${PROGRAMS}|[^\\n]{0,64}--password-stdin\\b)`;
/** Bytes before a keyword that a command is recognised in. */
const COMMAND_LOOKBACK = 120;
const PIPE = `(?:\\n?${ANY_QUOTE}) *\\| *`;

interface Command {
  /** The text before the keyword, where a keyword that begins a word is not enough. */
  readonly before?: RegExp;
  /** The text after the keyword, up to the end of the password. */
  readonly form: RegExp;
  /** Text that may still become the form. */
  readonly open: RegExp;
}

const LINE = new RegExp(`^[^\\n]{0,${LONGEST_OPERAND}}$`);
/** `net use X: SHARE SECRET /user:U`. The share may read as an escape of a line's end: `\\nas`. Prose on a net use soon is not. */
const DRIVE = new RegExp(
  `^(?:[a-z]:|\\*)? *(?:[^ /][^ ]*(?: +(?:/[^]*|${ANY_QUOTE}${LETTER}{0,64}${ANY_QUOTE}(?: +(?:/[^]*)?)?)?)?)?$`,
  'i',
);
const PIPED: Command = {
  form: new RegExp(
    `^(?:(?:-[neE]+|${ANY_QUOTE}%s\\n?${ANY_QUOTE}) +)?(?:${VALUE}(?=${PIPE}${READERS})|${ANY_QUOTE}[\\w.-]+:${VALUE}(?=${PIPE}(?:sudo )?chpasswd\\b))`,
  ),
  open: new RegExp(
    `^(?:(?:-[neE]*|${ANY_QUOTE}%s\\n?${ANY_QUOTE}) *)?${ANY_QUOTE}${LETTER}{0,64}(?:\\n?${ANY_QUOTE} *(?:\\|[^\\n]{0,90})?)?$`,
  ),
};
/** `sudo -S id <<< SECRET`. */
const HERE_STRING: Command = {
  before: new RegExp(`(?:${PROGRAMS}|--password-stdin\\b)[^\\n|;&<>]{0,64}$`),
  form: new RegExp(`^ *${VALUE}`),
  open: new RegExp(`^ *${ANY_QUOTE}${LETTER}{0,64}$`),
};
/** Of Redis, with or without a user. */
const AUTH: Command = {
  form: new RegExp(`^(?:[\\w.-]+ +)?${VALUE}(?=${ANY_QUOTE}\\s*(?:\\n|$))`),
  open: new RegExp(`^(?:[\\w.-]+ +)?${ANY_QUOTE}${LETTER}{0,64}${ANY_QUOTE}\\s*$`),
};
const OPERAND: Command = { form: new RegExp(`^${WORD}${VALUE}`), open: LINE };
const COMMANDS: { readonly [keyword: string]: Command } = {
  'htpasswd -': {
    form: new RegExp(
      `^(?=(?:\\w+ +(?:\\d+ +)?-)*\\w*b)(?:(?=(?:\\w+ +(?:\\d+ +)?-)*\\w*n)${HTPASSWD_OPTIONS}|${HTPASSWD_OPTIONS}${WORD})${WORD}${VALUE}`,
    ),
    open: LINE,
  },
  'net use ': {
    form: new RegExp(
      `^(?:[a-z]:|\\*)? *[^ /][^ ]+ +(?:/u(?:ser)?:[^ ]+ +${VALUE}|(?![/*])${VALUE}(?=${ANY_QUOTE} +/u))`,
      'i',
    ),
    open: DRIVE,
  },
  'net user ': { form: new RegExp(`^${WORD}${VALUE}(?=${ANY_QUOTE} +/)`), open: LINE },
  'rabbitmqctl add_user ': OPERAND,
  'rabbitmqctl change_password ': OPERAND,
  'redis-cli auth ': AUTH,
  '> auth ': { ...AUTH, before: /:\d{2,5}(?:\[\d+\])?$/ },
  '<<<': HERE_STRING,
  'echo ': PIPED,
  'printf ': PIPED,
};
export const COMMAND_KEYWORDS: readonly string[] = Object.keys(COMMANDS);

/** `htpasswd -b FILE USER SECRET`, `net use X: SHARE SECRET`, `sudo -S <<< SECRET`: a password among a command's words. */
export function checkCommand(view: View, from: number, to: number): Verdict {
  if (view.waits(to)) return view.more(view.end);
  const command = COMMANDS[view.text(from, to).toLowerCase()];
  if (command === undefined) return NO;
  const { before } = command;
  if (before === undefined && WORD_BYTES[view.at(from - 1)] === 1) return NO;
  if (before?.test(view.text(Math.max(view.floor, from - COMMAND_LOOKBACK), from)) === false) return NO;
  const text = view.text(to, Math.min(view.end, to + LONGEST_OPERAND + 1));
  if (view.waits(to + text.length) && command.open.test(text)) return view.more(to);
  const found = command.form.exec(text);
  const password = found?.groups?.['password'] ?? '';
  if (found === null || !isPassword(password, '', OPERAND_LEAST_BITS)) return NO;
  const end = to + found[0].length;
  return view.found(end - password.length, end);
}

/** Bits a character under which a password counts as a word (see `isPassword`). */
const SQL_LEAST_BITS = 3.8;
const LEAST_BARE = 5;
const BARE = charset('!#$%&*+,./0-9:=?@A-Z^_a-z~-');
/** What makes `… 'literal'` the password of an account. */
const STATEMENT =
  /\b(?:create|alter|drop|set|grant|identified|change)\b[^;]{0,100}\b(?:user|role|login|with|for|server|master|identified)\b/i;
const HASH = /\b(?:by password|with)\s*$/i;

/** `CREATE USER … IDENTIFIED BY '…'`, `ALTER ROLE … PASSWORD '…'`: the password that a statement gives an account. */
export function checkStatement(view: View, from: number, to: number): Verdict {
  let at = to - 1;
  if (!isQuote(view.at(at))) at = to;
  if (view.waits(at)) return view.more(view.end);
  const quote = isQuote(view.at(at)) ? view.at(at) : 0;
  const start = quote === 0 ? at : at + 1;
  const end = quote === 0 ? view.runEnd(BARE, start, EVIDENCE) : sqlLiteralEnd(view, start, quote);
  if (end < 0 || end - start >= EVIDENCE) return NO;
  const before = view.text(Math.max(view.floor, from - COMMAND_LOOKBACK), to);
  if (!STATEMENT.test(before) || HASH.test(before)) return NO;
  if (view.waits(end)) return view.more(start);
  return isPassword(view.text(start, end), '', quote === 0 ? LEAST_BARE : SQL_LEAST_BITS) ? view.found(start, end) : NO;
}

function sqlLiteralEnd(view: View, from: number, quote: number): number {
  for (let at = from; at < from + EVIDENCE; at++) {
    if (view.waits(at) || view.at(at) === quote) return at;
    if (view.at(at) <= 0x20 && !isQuote(view.at(at))) return -1;
  }
  return -1;
}
