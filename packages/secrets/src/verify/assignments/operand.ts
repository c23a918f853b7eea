import { charset, WORD as WORD_BYTES } from '../../text/charset.ts';
import { isQuote } from '../../text/unescape.ts';
import { isPassword } from '../placeholder.ts';
import { EVIDENCE, NO, type Verdict, type View } from '../view.ts';

/** Bits a character under which a value counts as a word. */
const LEAST = 4.2;
const LONGEST = 160;
const QUOTE = '["\'`\\x01-\\x05]?';
const LETTER = '[^\\s"\'`\\x01-\\x05<]';
const VALUE = `${QUOTE}(?<password>${LETTER}{5,64})(?!${LETTER})`;
/** A word that is no option. */
const WORD = '[^\\s-]\\S* +';
const HTPASSWD_OPTIONS = '\\w+ +(?:\\d+ +)?(?:-\\w+ +(?:\\d+ +)?)*';
/** Programs that read a password from their standard input, and the option of others that does. */
const PROGRAMS = 'sudo(?: -[\\w-]+){0,4} -[A-Za-z]*S\\b|(?:sudo )?(?:passwd --stdin|kinit|cryptsetup)\\b';
const READERS = `(?:${PROGRAMS}|[^\\n]{0,64}--password-stdin\\b)`;
/** Bytes before a keyword that a command is recognised in. */
const LOOKBACK = 120;
const PIPE = `(?:\\n?${QUOTE}) *\\| *`;

interface Command {
  /** The text before the keyword, where a keyword that begins a word is not enough. */
  readonly before?: RegExp;
  /** The text after the keyword, up to the end of the password. */
  readonly form: RegExp;
  /** Text that may still become the form. */
  readonly open: RegExp;
}

const LINE = new RegExp(`^[^\\n]{0,${LONGEST}}$`);
/** `net use X: SHARE SECRET /user:U`. The share may read as an escape of a line's end: `\\nas`. Prose on a net use soon is not. */
const DRIVE = new RegExp(
  `^(?:[a-z]:|\\*)? *(?:[^ /][^ ]*(?: +(?:/[^]*|${QUOTE}${LETTER}{0,64}${QUOTE}(?: +(?:/[^]*)?)?)?)?)?$`,
  'i',
);
const PIPED: Command = {
  form: new RegExp(
    `^(?:(?:-[neE]+|${QUOTE}%s\\n?${QUOTE}) +)?(?:${VALUE}(?=${PIPE}${READERS})|${QUOTE}[\\w.-]+:${VALUE}(?=${PIPE}(?:sudo )?chpasswd\\b))`,
  ),
  open: new RegExp(
    `^(?:(?:-[neE]*|${QUOTE}%s\\n?${QUOTE}) *)?${QUOTE}${LETTER}{0,64}(?:\\n?${QUOTE} *(?:\\|[^\\n]{0,90})?)?$`,
  ),
};
/** `sudo -S id <<< SECRET`. */
const HERE_STRING: Command = {
  before: new RegExp(`(?:${PROGRAMS}|--password-stdin\\b)[^\\n|;&<>]{0,64}$`),
  form: new RegExp(`^ *${VALUE}`),
  open: new RegExp(`^ *${QUOTE}${LETTER}{0,64}$`),
};
/** Of Redis, with or without a user. */
const AUTH: Command = {
  form: new RegExp(`^(?:[\\w.-]+ +)?${VALUE}(?=${QUOTE}\\s*(?:\\n|$))`),
  open: new RegExp(`^(?:[\\w.-]+ +)?${QUOTE}${LETTER}{0,64}${QUOTE}\\s*$`),
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
      `^(?:[a-z]:|\\*)? *[^ /][^ ]+ +(?:/u(?:ser)?:[^ ]+ +${VALUE}|(?![/*])${VALUE}(?=${QUOTE} +/u))`,
      'i',
    ),
    open: DRIVE,
  },
  'net user ': { form: new RegExp(`^${WORD}${VALUE}(?=${QUOTE} +/)`), open: LINE },
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
  if (before?.test(view.text(Math.max(view.floor, from - LOOKBACK), from)) === false) return NO;
  const text = view.text(to, Math.min(view.end, to + LONGEST + 1));
  if (view.waits(to + text.length) && command.open.test(text)) return view.more(to);
  const found = command.form.exec(text);
  const password = found?.groups?.['password'] ?? '';
  if (found === null || !isPassword(password, '', LEAST)) return NO;
  const end = to + found[0].length;
  return view.found(end - password.length, end);
}

/** Bits a character under which a password counts as a word (see `isPassword`). */
const SQL_LEAST = 3.8;
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
  const end = quote === 0 ? view.runEnd(BARE, start, EVIDENCE) : literalEnd(view, start, quote);
  if (end < 0 || end - start >= EVIDENCE) return NO;
  const before = view.text(Math.max(view.floor, from - LOOKBACK), to);
  if (!STATEMENT.test(before) || HASH.test(before)) return NO;
  if (view.waits(end)) return view.more(start);
  return isPassword(view.text(start, end), '', quote === 0 ? LEAST_BARE : SQL_LEAST) ? view.found(start, end) : NO;
}

function literalEnd(view: View, from: number, quote: number): number {
  for (let at = from; at < from + EVIDENCE; at++) {
    if (view.waits(at) || view.at(at) === quote) return at;
    if (view.at(at) <= 0x20 && !isQuote(view.at(at))) return -1;
  }
  return -1;
}
