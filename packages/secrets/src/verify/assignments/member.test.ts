import { describe, expect, it } from 'vitest';
import { createScanner } from '../../stream/scanner.ts';
import { rsaKey } from '../../testing/rsa-key.ts';
import { dice, draw } from '../../testing/specimen.ts';
import { ask, viewOf } from '../../testing/view.ts';
import { FOUND, MORE, NO, type View } from '../view.ts';
import {
  checkKeyMember,
  checkRegistryAuth,
  REFUSED,
  readBelow,
  readElement,
  readObject,
  readOption,
  readPaired,
  throughBlock,
  WAITS,
} from './member.ts';

type Read = (view: View, from: number) => number;

/** What begins where the value is said to begin; null where there is none. */
function after(read: Read, text: string): string | null {
  const at = read(viewOf(text), 0);
  return at === REFUSED ? null : text.slice(at);
}

/**
 * With every cut the answer is that of the whole text, or to wait, or the end of the text where the value has not begun. No byte
 * of the value has left by then.
 */
function expectSameForEveryCut(read: Read, text: string): void {
  const whole = read(viewOf(text), 0);
  for (let cut = 0; cut < text.length; cut++) {
    const view = viewOf(text.slice(0, cut), false);
    const early = read(view, 0);
    expect([WAITS, whole, cut], `${text.slice(0, cut)}|`).toContain(early);
    const hold = early === WAITS && whole > 0 ? view.hold : whole;
    expect(hold, `${text.slice(0, cut)}|`).toBeLessThanOrEqual(whole);
  }
}

describe('the value beside a name', () => {
  it.each([
    [' "value": "abc"', '"abc"'],
    ['\n      "Value": "abc"', '"abc"'],
    ['\r\n  value: abc', 'abc'],
    [" value: 'abc'", "'abc'"],
    ['value=abc', 'abc'],
    ['ParameterValue=abc', 'abc'],
    ['"default": "abc"', '"abc"'],
    ['\x01value\x01: \x01abc\x01', '\x01abc\x01'],
    ['value   :   abc', 'abc'],
  ])('is read in %j', (text, value) => {
    expect(after(readPaired, text)).toBe(value);
    expectSameForEveryCut(readPaired, text);
  });

  it.each([
    'values: abc',
    '"value: "abc"',
    '"value\': "abc"',
    'VALUE: abc',
    'valueFrom: abc',
    'value abc',
    'other: abc',
    `${' '.repeat(60)}value: abc`,
    '',
  ])('is not in %j', (text) => {
    expect(after(readPaired, text)).toBeNull();
    expectSameForEveryCut(readPaired, text);
  });

  it('may itself be the word, in quotes: it waits', () => {
    const view = viewOf(' "valu', false);
    expect([readPaired(view, 0), view.hold]).toEqual([WAITS, 2]);
  });
});

describe('the value below a name', () => {
  it.each([
    ['\n  - abc', 'abc'],
    ['\r\n    -   abc', 'abc'],
    ['\n  - "abc"', '"abc"'],
    ['\n  value: abc', 'abc'],
    ['\n  default: abc', 'abc'],
  ])('is the first of a list, or a member of that name: %j', (text, value) => {
    expect(after(readBelow, text)).toBe(value);
    expectSameForEveryCut(readBelow, text);
  });

  it.each(['\n  -abc', '\n  --- \n', '\n  abc', '\n  other: abc', '\n  - '])('is not in %j', (text) => {
    expect(after(readBelow, text) ?? '').toBe('');
    expectSameForEveryCut(readBelow, text);
  });
});

describe('the value in an object', () => {
  it.each([
    [' "value": "abc" }', '"abc" }'],
    [' "type": "string", "value": "abc" }', '"abc" }'],
    ['\n  type = string\n  default = "abc"\n}', '"abc"\n}'],
    ["type: String, default: 'abc' }", "'abc' }"],
  ])('is a member of that name: %j', (text, value) => {
    expect(after(readObject, text)).toBe(value);
    expectSameForEveryCut(readObject, text);
  });

  it.each([
    [' "type": "string" }, "value": "abc"', 'the object ends before it'],
    [' "other": { "value": "abc" }', 'it is of an inner object'],
    [' "myvalue": "abc" }', 'the name only ends with the word'],
    [' my_default = "abc" }', 'the name only ends with the word, and is not in quotes'],
    [' "values": ["abc"] }', 'the name is longer'],
    [` ${'"n": 1, '.repeat(40)} "value": "abc" }`, 'it is far away'],
    [' "type": "string"', 'the text ends before it'],
  ])('is not in %j: %s', (text) => {
    expect(after(readObject, text)).toBeNull();
    expectSameForEveryCut(readObject, text);
  });
});

describe('the value of an option', () => {
  it.each([
    ['--value abc', 'abc'],
    ['--value=abc', 'abc'],
    ['--value    "abc"', '"abc"'],
    ['--body abc', 'abc'],
    ['--body="abc"', '"abc"'],
  ])('is read in %j', (text, value) => {
    expect(after(readOption, text)).toBe(value);
    expectSameForEveryCut(readOption, text);
  });

  it.each(['--values abc', '--value', '--valuable abc', '--body-file abc', '-value abc', '--type abc', 'value'])(
    'is not in %j',
    (text) => {
      expect(after(readOption, text)).toBeNull();
      expectSameForEveryCut(readOption, text);
    },
  );
});

describe('the value in an element', () => {
  it.each([
    ['</key><string>abc', 'abc'],
    ['</key>\n\t<string>abc', 'abc'],
    ['</name>\r\n    <value>abc', 'abc'],
    ['</h1><value></value>', '</value>'],
  ])('is read in %j', (text, value) => {
    expect(after(readElement, text)).toBe(value);
    expectSameForEveryCut(readElement, text);
  });

  it.each([
    '<key><string>abc',
    '</key ><string>abc',
    '</key><true/>',
    '</key><strings>abc',
    '</key>abc<string>abc',
    `</${'k'.repeat(20)}><string>abc`,
    `</key>${' '.repeat(60)}<string>abc`,
  ])('is not in %j', (text) => {
    expect(after(readElement, text)).toBeNull();
    expectSameForEveryCut(readElement, text);
  });
});

describe('a block of YAML', () => {
  it.each([
    ['|\n  abc', 'abc'],
    ['>\n  abc', 'abc'],
    ['|-\n\n    abc', 'abc'],
    ['>+\r\n  abc', 'abc'],
    ['|2-\n  abc', 'abc'],
  ])('begins with an indicator, and its value on the next line: %j', (text, value) => {
    expect(after(throughBlock, text)).toBe(value);
    expectSameForEveryCut(throughBlock, text);
  });

  it.each(['abc', '| abc', '|abc\n', '> quoted', '>=3\n', '|| other', '|234\n  abc', ''])(
    'does not begin in %j',
    (text) => {
      expect(after(throughBlock, text)).toBe(text);
      expectSameForEveryCut(throughBlock, text);
    },
  );
});

const roll = dice('a JSON Web Key');
const scalar = () => draw('A-Za-z0-9_-', 43, roll);
const ec = { kty: 'EC', x: scalar(), y: scalar(), crv: 'P-256', d: scalar() };
const rsa = rsaKey(2048);

describe('checkKeyMember', () => {
  it('finds the private part of an elliptic curve key, and of an RSA key', () => {
    for (const jwk of [ec, rsa]) {
      const { verdict, value } = ask(checkKeyMember, '"d"', JSON.stringify(jwk));
      expect(verdict).toBe(FOUND);
      expect(value).toBe(jwk.d.slice(0, 104));
    }
  });

  it('finds a symmetric key, also in quotes that were escaped', () => {
    const k = scalar();
    expect(ask(checkKeyMember, '"k"', `{"kty":"oct","k":"${k}"}`)).toMatchObject({ verdict: FOUND, value: k });
    expect(ask(checkKeyMember, '\x01k\x01', `{\x01kty\x01:\x01oct\x01,\x01k\x01: \x01${k}\x01}`)).toMatchObject({
      verdict: FOUND,
      value: k,
    });
  });

  it.each([
    ['k', '', '"kty":"oct"'],
    ['k', '"ext":true,', '"key_ops":["encrypt","decrypt"],"kty":"oct"'],
    ['k', '"kid":"2026-01",', '"use":"enc","alg":"A256GCM"'],
    ['d', '', '"kty":"OKP","crv":"Ed25519"'],
  ])('finds a key whose private member "%s" precedes those that identify it', (name, before, after) => {
    const value = scalar();
    for (const text of [
      `{${before}"${name}":"${value}",${after}}`,
      `{${before}"${name}": "${value}",\n  ${after}\n}`,
    ]) {
      expect(ask(checkKeyMember, `"${name}"`, text)).toMatchObject({ verdict: FOUND, value });
      const from = text.indexOf(value);
      const answers = Array.from({ length: text.length - from }, (_, more) => {
        const { verdict, view } = ask(checkKeyMember, `"${name}"`, text.slice(0, from + more), false);
        return verdict === NO || (verdict === MORE && view.hold > from);
      });
      expect(answers).not.toContain(true);
    }
  });

  it.each([
    `{"k":"${scalar()}"},{"kty":"oct"}`,
    `{"k":"${scalar()}","n":1},{"kty":"oct"}`,
    `{"k":"${scalar()}","v":{"kty":"oct"}}`,
    `{"k":"${scalar()}", ${'"n":1,'.repeat(40)} "kty":"oct"}`,
  ])('takes nothing of another object, or far behind, for what a member is: %s', (text) => {
    expect(ask(checkKeyMember, '"k"', text).verdict).toBe(NO);
  });

  const members = ['p', 'q', 'd', 'qi', 'dp', 'dq'] as const;

  it.each([
    ['as programs write it', ['kty', 'n', 'e', 'd', 'p', 'q', 'dp', 'dq', 'qi']],
    ['as generators do', ['p', 'kty', 'q', 'd', 'e', 'use', 'qi', 'dp', 'alg', 'dq', 'n']],
    ['in alphabetical order', ['alg', 'd', 'dp', 'dq', 'e', 'ext', 'kty', 'n', 'p', 'q', 'qi']],
  ])('finds all private members of an RSA key %s, on one line and on several', (_, order) => {
    const jwk = { ...rsa, use: 'sig', alg: 'RS256', ext: true };
    const sorted = Object.fromEntries(order.map((name) => [name, jwk[name as keyof typeof jwk]]));
    for (const text of [JSON.stringify(sorted), JSON.stringify(sorted, null, 2)]) {
      for (const name of members) {
        const { verdict, value } = ask(checkKeyMember, `"${name}"`, text);
        expect(verdict).toBe(FOUND);
        expect(value).toBe(jwk[name]?.slice(0, 104));
      }
    }
  });

  it.each([
    `{"p":"${'all-of-these-are-words-that-somebody-wrote-'.repeat(3)}"}`,
    `{"q":"${'k7Qz9mW2xT'.repeat(8)}"}`,
    `{"qi":"${'k7Qz9mW2xTbR4vN8'.repeat(6)}+/"}`,
    `{"dp":"${'A'.repeat(171)}"}`,
  ])('is nothing: %s', (text) => {
    expect(ask(checkKeyMember, /"\w+"/.exec(text)?.[0] ?? '', text).verdict).toBe(NO);
  });

  it.each([
    '{"a":1,"d":"c2VjcmV0IHZhbHVlcyBhcmUgbm90IGhlcmUgYXQgYWxs"}',
    '{"kty":"EC","d":"short"}',
    '{"kty":"EC","d":12}',
    `{"kty":"EC","d":"${'A'.repeat(43)}"}`,
  ])('is nothing: %s', (text) => {
    expect(ask(checkKeyMember, '"d"', text).verdict).toBe(NO);
  });

  it('ignores a public key', () => {
    const scanner = createScanner({ key: Buffer.from('a JSON Web Key') });
    const { kty, n, e } = rsa;
    const { d: _, ...open } = ec;
    for (const jwk of [{ kty, n, e }, open]) expect(scanner.scanText(JSON.stringify(jwk))).toEqual([]);
  });
});

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const value = base64(`svc:${draw('A-Za-z0-9', 20, dice('registry'))}`);

describe('checkRegistryAuth', () => {
  it.each([`{"auths":{"r.example.org":{"auth":"${value}"}}}`, `"auth" : "${value}"`])('finds %s', (text) => {
    expect(ask(checkRegistryAuth, '"auth"', text)).toMatchObject({ verdict: FOUND, value });
  });

  it.each([
    `"auth":"${base64('user:password')}"`,
    `"auth":"${base64('no colon in this one at all')}"`,
    '"auth":"basic"',
    '"auth":true',
    '"auth","x"',
    `"auth":"${base64(':')}"`,
  ])('is nothing: %s', (text) => {
    expect(ask(checkRegistryAuth, '"auth"', text).verdict).toBe(NO);
  });

  it('waits, and delays the value', () => {
    const { verdict, view } = ask(checkRegistryAuth, '"auth"', '"auth": "c3Z', false);
    expect([verdict, view.hold]).toEqual([MORE, 9]);
  });
});
