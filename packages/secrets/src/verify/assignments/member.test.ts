import { describe, expect, it } from 'vitest';
import { viewOf } from '../../testing/view.ts';
import type { View } from '../view.ts';
import { REFUSED, readBelow, readElement, readObject, readOption, readPaired, throughBlock, WAITS } from './member.ts';

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
