import { isQuote } from '../text/quotes.ts';
import { isPassword } from './password.ts';
import { NO, type Verdict, type View } from './view.ts';

const LOOKBACK = 96;
const LONGEST = 64;
/** Bits a character under which a value counts as a word. */
const LEAST = 4.2;

/** Programs whose short option takes a password. A blank between the option and its value is told apart: `-p 3306` is a port. */
const GLUED: { readonly [option: string]: RegExp } = { ' -p': /\b(?:mysql|mysqldump|mysqladmin|mariadb|sshpass)\b/ };
const APART: { readonly [option: string]: RegExp } = {
  ' -p': /\b(?:sshpass|mongo(?:sh|dump|restore|import|export)?|(?:docker|podman|helm registry|oras|az acr) login)\b/,
  ' -a': /\bredis-cli\b/,
  ' -w': /\b(?:ldapsearch|ldapadd|ldapmodify|ldapwhoami)\b/,
};

/** `mysql -pSECRET`, `redis-cli -a SECRET`, `docker login -p SECRET`: the value of an option, where the program is named before. */
export function checkOption(view: View, from: number, to: number): Verdict {
  if (view.waits(to)) return view.more(view.end);
  let at = to;
  while (at < to + 3 && view.at(at) === 0x20) at++;
  if (view.waits(at)) return view.more(view.end);
  const program = (at > to ? APART : GLUED)[view.text(from, to).toLowerCase()];
  if (program === undefined) return NO;
  const quote = isQuote(view.at(at)) ? view.at(at) : 0;
  const start = quote === 0 ? at : at + 1;
  let end = start;
  for (; ; end++) {
    if (view.waits(end)) return view.more(start);
    const byte = view.at(end);
    if (byte < 0x21 || (quote === 0 ? isQuote(byte) : byte === quote)) break;
    if (end - start >= LONGEST) return NO;
  }
  if (!isPassword(view.text(start, end), '', LEAST)) return NO;
  const line = view.text(Math.max(view.floor, from - LOOKBACK), from);
  return program.test(line.slice(line.lastIndexOf('\n') + 1)) ? view.found(start, end) : NO;
}
