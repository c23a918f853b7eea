import { NAMED_RULES } from '../rules/named.ts';
import { TOKEN_RULES } from '../scan/catalogue.ts';
import { dice, draw, specimenOf } from './specimen.ts';

/** A made-up secret to plant. `value` must then be found nowhere, `text` is what is planted. */
export interface Canary {
  readonly rule: string;
  readonly text: string;
  readonly value: string;
  /** Fits into one line of ASCII, as a header needs. */
  readonly line: boolean;
}

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';

/** Secrets that only what is written around them (`§`) shows. */
const WRITTEN = [
  ['connection-password', 'Server=db.internal;Uid=svc;Pwd=§;'],
  ['password-file', 'db.internal:5432:app:svc:§'],
  ['netrc-password', 'machine db.internal login svc password §'],
  ['mysql-data-source', 'svc:§@tcp(db.internal:3306)/app'],
  ['oracle-logon', 'sqlplus svc/§@db.internal'],
  ['connect-call', "mysqli_connect('db.internal', 'svc', '§')"],
  ['statement-password', "ALTER USER svc WITH PASSWORD '§'"],
  ['command-password', 'mysql -u svc -p§ app'],
  ['told-password', 'openssl rsa -passin pass:§'],
  ['operand-password', 'echo § | sudo -S id'],
  ['curl-user', 'curl -u svc:§ https://db.internal'],
  ['session-cookie', 'Cookie: theme=dark; session=§'],
  ['bearer-authorization', 'Authorization: Bearer §'],
  ['xml-private-key', '<Exponent>AQAB</Exponent><P>§==</P></RSAKeyValue>'],
] as const;

/** The first rule of every kind. */
const ONE_OF_EACH_KIND = [...Map.groupBy(TOKEN_RULES, ({ kind }) => kind).values()].flatMap((rules) =>
  rules.slice(0, 1),
);

/**
 * One canary of every kind of token and of every structure, and none twice: no two calls with different seeds make the same
 * one. The single rules are tested in this package; what uses them knows kinds only.
 */
export function canaries(seed: string): readonly Canary[] {
  const roll = dice(`canaries ${seed}`);
  const password = () => draw('A-Za-z0-9', 22, roll);
  const tokens = ONE_OF_EACH_KIND.map((rule) => {
    const { text, value } = specimenOf(rule, rule.forms[0] ?? '', `${seed} ${rule.id}`);
    return { rule: rule.id, text, value };
  });
  const named = NAMED_RULES.slice(0, 1).map((rule) => {
    const form = rule.values[0] === 'uuid' ? UUID : (rule.values[0] ?? '');
    const { text } = specimenOf({}, form, `${seed} ${rule.id}`);
    return { rule: rule.id, text: `${rule.words[0]}_secret="${text}"`, value: text };
  });
  const jwt = [
    { alg: 'HS256', typ: 'JWT' },
    { sub: password(), iat: 1 },
  ]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .concat(draw('A-Za-z0-9_-', 43, roll))
    .join('.');
  const lines = Array.from({ length: 6 }, () => draw('A-Za-z0-9+/', 64, roll));
  const pem = ['-----BEGIN RSA PRIVATE KEY-----', ...lines, '-----END RSA PRIVATE KEY-----'].join('\n');
  const [database, proxy, entropy] = [password(), password(), password()];
  const structural = [
    { rule: 'jwt', text: jwt, value: jwt },
    { rule: 'private-key', text: pem, value: lines[2] ?? '' },
    { rule: 'connection-string', text: `postgres://svc:${database}@db.internal:5432/app`, value: database },
    { rule: 'url-password', text: `https://user:${proxy}@proxy.internal/x`, value: proxy },
    { rule: 'named assignment', text: `client_secret = "${entropy}"`, value: entropy },
    ...WRITTEN.map(([rule, written]) => {
      const value = draw('A-Za-z0-9', 26, roll);
      return { rule, text: written.replace('§', value), value };
    }),
  ];
  return [...tokens, ...named, ...structural].map((one) => ({ ...one, line: /^[\x20-\x7e]+$/.test(one.text) }));
}
