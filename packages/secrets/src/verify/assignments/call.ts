import { charset } from '../../text/charset.ts';
import { isQuote } from '../../text/unescape.ts';
import { crossEntropy, readsLikeWords } from '../cross-entropy.ts';
import { isMonotonous, isPassword } from '../placeholder.ts';
import { EVIDENCE, NO, type Verdict, type View } from '../view.ts';

/** Bits a character under which a password counts as a word (see `isPassword`). */
const LEAST = 3.6;
const LEAST_LOOSE = 4.4;
const LONGEST = 2 * EVIDENCE;
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
    if (at < 0 || at - to > LONGEST) return NO;
    if (view.waits(at)) return view.more(literal && argument === last ? start + 1 : view.end);
    if (argument === last) {
      if (!literal) return NO;
      const least = LOOSE.has(keyword) ? LEAST_LOOSE : LEAST;
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
const WORDPRESS_SALT_BETWEEN = charset(' \t,');
const LONGEST_GAP = 24;
const WORDPRESS_SALT_COMMA = /^[ \t]*,[ \t]*$/;
const QUOTE = 0x27;
/** All printable bytes but the quote and the backslash, blanks too: what WordPress draws them from. */
const SALT = charset(' !"#$%&()*+,./0-9:;<=>?@A-Z[]^_`a-z{|}~-');
const LENGTH = 64;
/** Bits a character under which a phrase counts as words. */
const WORDPRESS_SALT_LEAST = 4.8;

/** `define('AUTH_KEY', '<64 characters>');`, which sign the cookies of a WordPress site: marks and blanks are a third of them. */
export function checkWordPressSalt(view: View, _from: number, to: number): Verdict {
  const quote = view.runEnd(WORDPRESS_SALT_BETWEEN, to, LONGEST_GAP);
  if (view.waits(quote)) return view.more(view.end);
  if (view.at(quote) !== QUOTE || !WORDPRESS_SALT_COMMA.test(view.text(to, quote))) return NO;
  const from = quote + 1;
  const end = view.runEnd(SALT, from, LENGTH);
  if (readsLikeWords(view, from, end)) return NO;
  if (view.waits(end)) return view.more(from);
  if (end - from !== LENGTH || view.at(end) !== QUOTE || isMonotonous(view.bytes, from, end)) return NO;
  return crossEntropy(view.bytes, from, end) >= WORDPRESS_SALT_LEAST ? view.found(from, end) : NO;
}
