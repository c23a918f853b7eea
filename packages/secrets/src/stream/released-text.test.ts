import { describe, expect, it } from 'vitest';
import { TOKEN_RULES } from '../scan/catalogue.ts';
import type { Responses } from '../scan/response.ts';
import { dice, draw, specimenOf } from '../testing/specimen.ts';
import { createScanner } from './scanner.ts';

const scanner = createScanner({ key: Buffer.from('released text') });
const roll = dice('released text');
const MASK: Responses = { high: 'mask', medium: 'mask' };
const BLOCK: Responses = { high: 'block', medium: 'block' };

/** What leaves of a text that arrives in pieces of a size. */
function released(text: string, size: number, responses = MASK): string {
  const channel = scanner.channel(responses, null);
  const pieces = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
  return [...pieces.map((piece) => channel.push(piece)), channel.end()].map((step) => step.text).join('');
}

const masked = (text: string): string =>
  Buffer.from(scanner.scanBody(Buffer.from(text), 'text/plain').mask()).toString();

/** A value that reads as generated from its first letters on. */
const value = `k7Qz9mW2${draw('A-Za-z0-9', 18, roll)}`;
const hex = `8f14e45f${draw('0-9a-f', 32, roll)}`;

describe('of a secret in a stream nothing leaves before its mask', () => {
  it.each([
    'api_key = "§"',
    "api_key: '§',",
    'API_TOKEN=§ ',
    'ENV API_TOKEN §\n',
    'my api key is § please',
    '| API_TOKEN | `§` |',
    '{"name":"API_KEY","value":"§"}',
    '- name: API_KEY\n  value: §\n',
    'API_TOKEN: |-\n    §\n',
    'X-Api-Key:\n  - §\n',
    '<key>apiToken</key>\n<string>§</string>',
    'put-parameter --name /app/db_password --value § --type SecureString',
    'getenv("API_TOKEN") ?: "§"',
    'setApiKey("§")',
    '?token=§&x=1',
    'Authorization: Bearer §\n',
    'Cookie: theme=dark; session=§\n',
    'curl -u svc:§ https://db.internal',
    'mysql -u svc -p§ app',
    "mysqli_connect('db.internal', 'svc', '§')",
    "ALTER USER svc WITH PASSWORD '§'",
    'Server=db.internal;Uid=svc;Pwd=§;',
    'machine db.internal login svc password §\n',
    'postgres://svc:§@db.internal:5432/app',
    'sqlplus svc/§@db.internal',
  ])('in %j', (context) => {
    const text = context.replace('§', value);
    expect(masked(text)).toBe(context.replace('§', masked(text).match(/\[secret:[a-z-]+\]/)?.[0] ?? 'a mask'));
    for (const size of [1, 2, 7, text.length]) expect(released(text, size)).toBe(masked(text));
    expect(released(text, 1, BLOCK)).toBe(masked(text).split('[secret:')[0]);
  });

  it.each([
    'char *tokens[] = {"§"};',
    "tokens = {'§'}",
    '{"code":"tokens = {\\"§\\"}"}',
    'api_key = { "§" }',
    'secret: {"§", "x"}',
    'password={§};',
    'token = {§ and more}',
    'variable "db_password" { default = "§" }',
    '"api_key": {"value": "§", "type": "string"}',
    'token = { type: String, default: "§" }',
  ])('in braces: %j', (context) => {
    const text = context.replace('§', value);
    expect(masked(text)).toBe(context.replace('§', '[secret:entropy]'));
    for (const size of [1, 2, 7, text.length]) expect(released(text, size)).toBe(masked(text));
    expect(released(text, 1, BLOCK)).toBe(masked(text).split('[secret:')[0]);
  });

  it.each(['https://§@git.internal/r.git', 'git clone https://§@github.com/o/r', 'wss://§@h.internal:8080/x'])(
    'in place of a user, although a password may follow: %j',
    (context) => {
      for (const token of [value, hex, `${value}${value}`, value.replaceAll(/.{9}/g, '$&-')]) {
        const text = `see ${context.replace('§', token)} and words`;
        expect(masked(text)).toBe(`see ${context.replace('§', '[secret:connection-string]')} and words`);
        for (const size of [1, 2, 7, text.length]) {
          const out = released(text, size);
          expect(out.replace(/:\/\/\w{0,5}\[/, '://[')).toBe(masked(text));
        }
      }
    },
  );

  it.each(['§', '//§', 'lists/§', 'https://api.internal/3.0/§', '/a/b/c/§'])(
    'where only the end of a hexadecimal key shows what it is: %j',
    (context) => {
      const text = `see ${context.replace('§', `${hex.slice(0, 32)}-us12`)} and words`;
      expect(masked(text)).toBe(`see ${context.replace('§', '[secret:access-token]')} and words`);
      const out = released(text, 1);
      expect(out.replace(/8f14e?\[/, '[')).toBe(masked(text));
    },
  );
});

it.each(['tcp(db:3306)', '(db)'])(
  'of a password of hexadecimal digits that @%s reveals, only the first leave',
  (network) => {
    const out = released(`dsn = "svc:${hex}@${network}/app"`, 1);
    expect(out.replace(/svc:8f14e?\[/, 'svc:[')).toBe(`dsn = "svc:[secret:connection-string]@${network}/app"`);
  },
);

describe('of a token with a beginning of its own', () => {
  const forms = TOKEN_RULES.flatMap((rule) => rule.forms.map((form) => [form, rule] as const)).filter(([form]) =>
    /^[A-Za-z0-9_-]{2,}\[[^<^]*$/.test(form),
  );

  it('at most words leave before the mask, for every form', () => {
    expect(forms.length).toBeGreaterThan(200);
    for (const [form, rule] of forms) {
      const { text } = specimenOf(rule, form, `released ${form}`);
      const line = `it is ${text} now`;
      const out = released(line, 1);
      const left = out.slice('it is '.length, out.indexOf('[secret:'));
      expect(left, form).toMatch(/^[a-z]*$/);
      expect(out.replace(`it is ${left}[`, 'it is ['), form).toBe(masked(line));
    }
  });
});

describe('words that only look like the beginning of a secret', () => {
  it.each([
    'token = { type: String, required: true }',
    'secret: {"type": "string", "description": "the name of a secret"}',
    'see https://user@host.internal/path and https://registry.internal/v2/library/nginx',
    'commit 8f14e45fceea167a5a36dedd4bea2543a1b2c3d4 in /objects/8f/14e45fceea167a and /tmp/a1b2c3',
    'https://d111111abcdef8.cloudfront.net/assets/index-4f3c2a1b.js',
  ])('all leave, and none are kept at the end: %j', (text) => {
    for (const size of [1, 5, text.length]) expect(released(text, size)).toBe(text);
  });
});
