import { compileCatalogue } from '../scan/catalogue.ts';
import type { Finding, Response, Responses } from '../scan/response.ts';
import { type Channel, createChannel } from '../stream/channel.ts';
import { dice, draw } from './specimen.ts';

export const key = Buffer.from('stream');
export const catalogue = compileCatalogue(true);
export const roll = dice('channel');
export const github = `ghp_${draw('A-Za-z0-9', 36, roll)}`;
export const pem = [
  '-----BEGIN RSA PRIVATE KEY-----',
  ...Array.from({ length: 6 }, () => draw('A-Za-z0-9+/', 64, roll)),
  draw('A-Za-z0-9+/', 11, roll),
  '-----END RSA PRIVATE KEY-----',
].join('\n');
export const jwt = [
  { alg: 'HS256', typ: 'JWT' },
  { sub: 'someone', iat: 1, nonce: draw('a-z', 200, roll) },
]
  .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
  .concat(draw('A-Za-z0-9_-', 43, roll))
  .join('.');
export const password = draw('A-Za-z0-9', 24, roll);

/** Pieces with parts of secrets, whole and broken, among other pieces. */
export const PIECES = [
  github,
  pem,
  pem.replaceAll('\n', '\\n'),
  pem.slice(0, 300),
  jwt,
  `postgres://svc:${password}@db.internal:5432/app`,
  `password = "${password}"`,
  `{"client_secret":"${password}","x":1}`,
  `{\\"token\\":\\"${github}\\"}`,
  `Authorization: Bearer ${draw('A-Za-z0-9_-', 60, roll)}`,
  `sk-proj-${draw('A-Za-z0-9_-', 150, roll)}`,
  Buffer.from(github).toString('base64'),
  Buffer.from(`sk-proj-${draw('A-Za-z0-9_-', 150, roll)}`).toString('base64'),
  Buffer.from(github.slice(0, 20)).toString('base64'),
  `${draw('A-Za-z0-9', 14, roll)}.atlasv1.${draw('A-Za-z0-9', 65, roll)}`,
  `\\u0067hp_${draw('A-Za-z0-9', 36, roll)}`,
  ...['-§', '--§', '<!--§-->', '§--', '§---', '-----§', '§-----', 'word-§', '§-word', '--§--word'].map((around) =>
    around.replace('§', `AIza${draw('A-Za-z0-9_', 35, roll)}`),
  ),
  'the token is not here, key: value, password',
  'http://localhost:8080/path?token=abc',
  '-----BEGIN PUBLIC KEY-----\nMIIB',
  `Server=db;Uid=svc;Pwd={${password}};x`,
  `cache:6380,password=${password},ssl=True`,
  `?c=UID%3Dsa%3BPWD%3D${password}%3BEncrypt%3Dyes `,
  `mongodb://svc:${password}/${password}==@db.internal:10255/?ssl=true`,
  `db:5432:app:svc:${password}\n*:*:*:svc:${password}\n`,
  `machine h\n\tlogin svc\n\tpassword ${password}\n`,
  `svc:${password}@(db)/app`,
  `sqlplus -s svc/${password}@db`,
  `new NetworkCredential("svc", "${password}")`,
  `ALTER USER svc WITH PASSWORD '${password}'`,
  `Cookie: a=b; session=${password}; sid=${password}${password}${password}${password}${password}`,
  `openssl -passin pass:${password}`,
  `<Exponent>AQAB</Exponent>\n<P>${draw('A-Za-z0-9+/', 86, roll)}==</P><D>${draw('A-Za-z0-9+/', 171, roll)}=</D></RSAKeyValue>`,
  `---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\nComment: "x"\n${draw('A-Za-z0-9+/', 70, roll)}\n---- END SSH2 ENCRYPTED PRIVATE KEY ----\n`,
  pem
    .replace('\n', `\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,${'0123456789ABCDEF'.repeat(2)}\n\n`)
    .replaceAll('\n', '\n2026-01-02T10:11:12.123Z deploy-7d9f8b6c5d '),
  Buffer.from(pem)
    .toString('base64')
    .replaceAll(/.{120}/g, '$&\n'),
  `{"k":"${draw('A-Za-z0-9_-', 43, roll)}","key_ops":["sign"],"kty":"oct"}`,
  'HEROKU_API_KEY=0f8fad5b-d9cb-469f-a165-70867728950e.',
  `API_TOKEN: |-\n    ${password}\n`,
  `variable "db_password" {\n  sensitive = true\n  default   = "${password}"\n}`,
  `| API_TOKEN | \`${password}\` |`,
  `<key>apiToken</key>\n<string>${password}</string>`,
  `getenv("API_TOKEN") ?: '"${password}"'`,
  `put-parameter --name /app/db_password --value ${password} --type SecureString`,
  `X-Api-Key:\n  - ${password}${password}\n`,
  `ConvertTo-SecureString -String "${password}" -AsPlainText`,
  `git clone https://${draw('a-z2-7', 52, roll)}@git.internal/r.git`,
  '<Exponent>AQAB</Exponent>',
  '</exponent><',
  '<P>',
  'gh',
  'ghp_',
  '\\',
  '"',
  '\n',
  ' ',
  ' und ünd 🔑 ',
  'const apiKey = process.env.API_KEY;',
];

/** A character as JSON may escape it. */
export function code(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

export function both(response: Response): Responses {
  return { high: response, medium: response };
}

export interface Outcome {
  readonly text: string;
  readonly findings: readonly Finding[];
  readonly blocked: boolean;
}

export function run(pieces: readonly string[], mode: Response, allowed: ReadonlySet<string> = new Set()): Outcome {
  const channel: Channel = createChannel({
    catalogue,
    responses: both(mode),
    key,
    allowed,
    pointer: '/x',
    encoding: 'utf8',
  });
  const steps = [...pieces.map((piece) => channel.push(piece)), channel.end()];
  return {
    text: steps.map(({ text }) => text).join(''),
    findings: steps.flatMap(({ findings }) => findings),
    blocked: steps.some(({ blocked }) => blocked),
  };
}

export function cut(text: string, places: readonly number[]): string[] {
  const sorted = [...new Set(places.map((place) => place % (text.length + 1)))].sort((a, b) => a - b);
  return [0, ...sorted].map((place, index) => text.slice(place, sorted[index] ?? text.length));
}
