import { describe, expect, it } from 'vitest';
import { ask } from '../../testing/view.ts';
import { ARGUMENT, BARE, ELEMENT, LOOSE, QUOTED } from '../assigned.ts';
import { EVIDENCE, FOUND, MORE, NO } from '../view.ts';
import { readAssignment } from './assignment.ts';
import { nameStart } from './operator.ts';

/** What was read around `token`. */
function read(text: string, final = true, keyword = 'token') {
  const { verdict, view } = ask(readAssignment, keyword, text, final);
  const { assigned } = view;
  return {
    verdict,
    name: text.slice(nameStart(view, assigned), assigned.nameTo),
    value: text.slice(assigned.from, assigned.to),
    form: assigned.form,
    hold: view.hold,
    open: assigned.open,
    partial: assigned.partial,
  };
}

describe('readAssignment reads how programs and people write a name and its value', () => {
  it.each([
    ['token=abc123', 'abc123', BARE],
    ['export API_TOKEN=abc123 ', 'abc123', BARE],
    ['token := "abc"', 'abc', QUOTED],
    ["token: 'abc'", 'abc', QUOTED],
    ['"token": "abc"', 'abc', QUOTED],
    ["'token' => 'abc'", 'abc', QUOTED],
    [':token => "abc"', 'abc', QUOTED],
    ['token == "abc"', 'abc', QUOTED],
    ['token === "abc"', 'abc', QUOTED],
    ['token != "abc"', 'abc', QUOTED],
    ['token ?= abc', 'abc', BARE],
    ['token += "abc"', 'abc', QUOTED],
    ['config["token"] = "abc"', 'abc', QUOTED],
    ['token || "abc"', 'abc', ARGUMENT],
    ['setToken("abc")', 'abc', ARGUMENT],
    ['("token", "abc")', 'abc', ARGUMENT],
    ['token = []byte("abc")', 'abc', ARGUMENT],
    ['token = aws.String("abc")', 'abc', ARGUMENT],
    ['let token = String::from("abc")', 'abc', ARGUMENT],
    ['#  define API_TOKEN "abc"', 'abc', QUOTED],
    ['ENV API_TOKEN k7Qz9mW2', 'k7Qz9mW2', BARE],
    ['token=abcd==:efgh', 'abcd==:efgh', BARE],
    ['set -gx API_TOKEN k7Qz9mW2', 'k7Qz9mW2', BARE],
    ['setx API_TOKEN k7Qz9mW2', 'k7Qz9mW2', BARE],
    ['unset API_TOKEN k7Qz9mW2', 'k7Qz9mW2', LOOSE],
    ['token: std::string("abc")', 'abc', ARGUMENT],
    ['token = b"abc"', 'abc', QUOTED],
    ['token = @"abc"', 'abc', QUOTED],
    ['var token string = "abc"', 'abc', ARGUMENT],
    ['let token: String = "abc"', 'abc', QUOTED],
    ['let token: &str = "abc"', 'abc', QUOTED],
    ['#define TOKEN "abc"', 'abc', QUOTED],
    ['<token>abc</token>', 'abc', ELEMENT],
    ['<ns:token>abc</ns:token>', 'abc', ELEMENT],
    ['<entry key="token">abc</entry>', 'abc', ELEMENT],
    ['<add key="token" value="abc"/>', 'abc', ARGUMENT],
    ['{"name":"token","value":"abc"}', 'abc', QUOTED],
    ['"Name": "token",\n      "Value": "abc"', 'abc', QUOTED],
    ["{name: 'token', value: 'abc'}", 'abc', QUOTED],
    ['- name: token\n  value: abc\n', 'abc', BARE],
    ['- name: "token"\r\n  value: "abc"', 'abc', QUOTED],
    ['**token:** abc ', 'abc', BARE],
    ['**token:** `abc`', 'abc', QUOTED],
    ['**token**: `abc`', 'abc', QUOTED],
    ['token: **abc ', 'abc', BARE],
    ['--token abc ', 'abc', BARE],
    ['--token=abc', 'abc', BARE],
    ['the token is abc ', 'abc', LOOSE],
    ['?token=abc&x=1', 'abc', BARE],
    ['token=a&bc ', 'a&bc', BARE],
    ['token: Bearer abc ', 'abc', BARE],
    ['token: Bearer token key abc ', 'key', BARE],
    ['"token": "Bearer abc"', 'abc', QUOTED],
    ['token=abc== ', 'abc==', BARE],
    ['token=', '', BARE],
    ["process.env.TOKEN ?? 'abc'", 'abc', ARGUMENT, 'TOKEN'],
    ["process.env['TOKEN'] ??= 'abc'", 'abc', ARGUMENT, 'TOKEN'],
    ["getenv('token') ?: 'abc'", 'abc', ARGUMENT],
    ['os.environ.get("token") || "abc"', 'abc', ARGUMENT],
    ['token: |\n    abc\n', 'abc', BARE],
    ['token: >-\r\n  abc\r\n', 'abc', BARE],
    ['token: |2+\n   abc', 'abc', BARE],
    ['| token | `abc` |', 'abc', LOOSE],
    ['| `token` | abc |', 'abc', LOOSE],
    ['token    | abc\n', 'abc', LOOSE],
    ['"Auth:token": "abc"', 'abc', QUOTED],
    ['"app/prod/token" = "abc"', 'abc', QUOTED],
    ['{"the access token": "abc"}', 'abc', QUOTED],
    ['variable "token" {\n  default = "abc"\n}', 'abc', QUOTED],
    ['variable "token" {\n  type = string\n  sensitive = true\n  default = "abc"\n}', 'abc', QUOTED],
    ['"token": {"value": "abc", "type": "string"}', 'abc', QUOTED],
    ['token = { type: String, default: "abc" }', 'abc', QUOTED],
    ['token:\n    value: abc\n    description: x', 'abc', BARE],
    ['<key>token</key>\n\t<string>abc</string>', 'abc', ELEMENT],
    ['<name>fs.token</name>\n  <value>abc</value>', 'abc', ELEMENT],
    [`token: '"abc"'`, 'abc', QUOTED],
    ['token:                  abc\n', 'abc', BARE],
    ['token:\n      - abc\n', 'abc', BARE],
    ['add_argument("--token", default="abc")', 'abc', QUOTED],
    ['ParameterKey=token,ParameterValue=abc ', 'abc', BARE],
    ['--name /app/token --value abc --type', 'abc', BARE],
    ['--name "/app/token" --value "abc"', 'abc', QUOTED],
    ['set token --body="abc"', 'abc', QUOTED],
    ['char token[] = "abc";', 'abc', QUOTED],
    ['char token[33] = "abc";', 'abc', QUOTED],
    ['("String", "token", "\x01abc\x01")', 'abc', ARGUMENT],
  ])('%s', (text, value, form, keyword = 'token') => {
    expect(read(text, true, keyword)).toMatchObject({ verdict: FOUND, value, form });
  });

  it.each([
    'token',
    'token.length',
    'token, other',
    'token\n  valueFrom: abc',
    '"token",\n  "other": "abc"',
    'token\n  other: abc',
    'token, value',
    'token ** other',
    'token** abc',
    'tokens[0]',
    'token[0].value',
    'token[i] = "abc"',
    'token --other abc',
    'token --values abc',
    'token -- abc',
    'token::new',
    'token =~ /x/',
    'token in the header',
    'token ("abc")',
    'token || fallback',
    'parse(token)',
    'x > token > y',
    `token${'x'.repeat(40)} = "abc"`,
    'token = "a sentence in quotes"',
    'token = "never closed\n',
    'token ? "a" : "b"',
    'f("token") && "abc"',
    'f("token")',
    'token |other',
    'say "the token" {"abc"}',
    '"a, token": "abc"',
    '<b>token</b> <i>abc</i>',
    '<key>token</key>\n<true/>',
  ])('finds no value in %j', (text) => {
    expect(read(text).verdict).toBe(NO);
  });

  it.each([
    'token = {\n other = { value = "abc" }\n}',
    `token = { ${'n: 1, '.repeat(40)} value: "abc" }`,
    'token:\n  other: x\n  value: abc',
  ])('ignores the value of another name, or of a distant one, in %j', (text) => {
    expect(read(text).value).not.toBe('abc');
  });

  it('reads the whole name around the word', () => {
    expect(read('process.env.MY_TOKEN_V2 = "abc"', true, 'TOKEN').name).toBe('process.env.MY_TOKEN_V2');
    expect(read('"x-token-id": "abc"').name).toBe('x-token-id');
  });

  it('ends a value at a quote of its own level only', () => {
    expect(read('token = "a\x01b"')).toMatchObject({ verdict: FOUND, value: 'a\x01b' });
    expect(read('token = \x01ab\x01"')).toMatchObject({ verdict: FOUND, value: 'ab' });
    expect(read('token = \x01ab"').verdict).toBe(NO);
  });

  it('weighs so many bytes at most, and never cuts a character', () => {
    expect(read(`token = "${'a1'.repeat(100)}"`)).toMatchObject({ verdict: FOUND, open: true });
    expect(read(`token = "${'a1'.repeat(100)}"`).value).toHaveLength(EVIDENCE);
    const cut = read(`token = "${'a'.repeat(EVIDENCE - 1)}\xc3\xa9${'b'.repeat(9)}"`);
    expect(cut.value).toBe('a'.repeat(EVIDENCE - 1));
  });
});

describe('readAssignment waits', () => {
  it.each([
    ['tok', 'the name continues'],
    ['token', 'the name may continue'],
    ['token ', 'an operator may follow'],
    ['token =', 'the operator may continue'],
    ['token = ', 'the value may follow'],
    ['token = abc', 'the value may continue'],
    ['token = "abc', 'the quote is open'],
    ['token = abc=', 'padding may continue'],
  ])('after %j: %s', (text) => {
    expect(read(text, false, 'tok').verdict).toBe(MORE);
  });

  it('delays nothing before a value can begin', () => {
    for (const text of ['token', 'token ', 'token =', 'token = ', 'token ||', 'f("token", ']) {
      expect(read(text, false).hold).toBe(text.length);
    }
  });

  it('delays the value from its first character on, and shows its known part', () => {
    expect(read('token = "abc', false)).toMatchObject({ hold: 9, partial: true, value: 'abc' });
    expect(read('token=ab', false)).toMatchObject({ hold: 6, partial: false });
    expect(read('token=ab!c', false)).toMatchObject({ hold: 6, partial: true, value: 'ab!c' });
    expect(read('token is importan', false)).toMatchObject({ hold: 9 });
  });

  it('never changes its decision when the rest has arrived', () => {
    const texts = [
      'token = abc ',
      '"token": "abc"',
      'let token: String = "abc"',
      'token is abcdefgh1 ',
      'token || "x"',
      'token ?? "x"',
      'get("token") ?: "x"',
      'token: |\n    abc\n',
      'token | abc ',
      'variable "token" {\n  type = string\n  default = "abc"\n}',
      '"token": {"default": "", "value": "abc"}',
      'token --value abc ',
      'token:\n  - abc\n',
      'char token[33] = "abc"',
      '<key>token</key>\n<string>abc</string>',
      `token: '"abc"'`,
    ];
    for (const text of texts) {
      const whole = read(text);
      for (let at = text.indexOf('token') + 5; at < text.length; at++) {
        const { verdict, hold } = read(text.slice(0, at), false);
        expect([MORE, whole.verdict]).toContain(verdict);
        const latest = verdict === MORE ? Math.max(text.indexOf(whole.value), at) : Number.POSITIVE_INFINITY;
        expect(hold).toBeLessThanOrEqual(latest);
      }
    }
  });
});
