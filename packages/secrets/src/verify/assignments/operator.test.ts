import { array, assert, constantFrom, property, tuple } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { viewOf } from '../../testing/view.ts';
import { FOUND, MORE } from '../view.ts';
import { readAssignment } from './assignment.ts';
import { isPlainWord, nameStart } from './operator.ts';

const NAMES = [
  'token',
  '"token"',
  "'token'",
  '`token`',
  '[token]',
  '["token"]',
  '--token',
  '-token',
  '**token**',
  '$token',
  '<token>',
  'apiToken',
  '"a/token"',
  '"the token"',
  '#define token',
  'ENV token',
];
const OPERATORS = [
  ' ',
  '  ',
  '=',
  ' = ',
  ':',
  ': ',
  ':=',
  '::',
  '=>',
  '==',
  '===',
  '!=',
  '=~',
  '?=',
  '??=',
  '||',
  ' || ',
  ' | ',
  '|',
  '?:',
  '.=',
  '+=',
  ', ',
  ',',
  '\n',
  '\n  ',
  '\r\n',
  '(',
  ')',
  '>',
  '</key><string>',
  '{',
  ' { ',
  '[]',
  '[33]',
  '[',
  '*',
  '**',
  ' is ',
  ' to ',
  ' string = ',
  ': String = ',
  ': &str = ',
  '&',
  ' value=',
  '"value":',
  'default = ',
  '- ',
  '--value ',
  '--body=',
  '|-\n  ',
  '>\n',
];
const VALUES = [
  'abc',
  'k7Qz9mW2xT4v',
  '"abc"',
  "'abc'",
  '`abc`',
  '\x01abc\x01',
  '"abc',
  'abc"',
  '[]byte("abc")',
  'f("abc")',
  'b"abc"',
  '@"abc"',
  'Bearer abc',
  '"Bearer abc"',
  'Basic Basic Basic abc',
  '${X}',
  'a=b',
  'abc==',
  'abc=:x',
  'a&b=c',
  'importantly',
  '1',
  '',
  '"a b"',
  '}',
  '\n',
];

interface Reading {
  readonly verdict: number;
  readonly value: string;
  readonly from: number;
  readonly hold: number;
}

function read(text: string, from: number, final: boolean): Reading {
  const view = viewOf(text, final);
  const verdict = readAssignment(view, from, from + 'token'.length);
  const { assigned, hold } = view;
  const value = verdict === FOUND ? text.slice(assigned.from, assigned.to) : '';
  const isOne = value !== '' && !value.startsWith('*'); // which begins a pattern, or emphasis
  return { verdict, value, from: isOne ? assigned.from : text.length, hold };
}

describe('what is between a name and its value', () => {
  it('is decided alike in every text that arrives in pieces, before a byte of the value has left', () => {
    const text = tuple(
      constantFrom('', 'x ', '"', 'set ', 'config.'),
      constantFrom(...NAMES),
      array(constantFrom(...OPERATORS), { maxLength: 3 }),
      constantFrom(...VALUES),
      constantFrom('', ' ', '"', '\n', ', x', ';', ' and words'),
    ).map(([before, name, operators, value, after]) => before + name + operators.join('') + value + after);
    assert(
      property(text, (written) => {
        const from = written.toLowerCase().indexOf('token');
        const whole = read(written, from, true);
        for (let cut = from + 'token'.length; cut < written.length; cut++) {
          const { verdict, value, hold } = read(written.slice(0, cut), from, false);
          const decision = verdict === MORE ? [whole.verdict, whole.value] : [verdict, value];
          expect(decision, written.slice(0, cut)).toEqual([whole.verdict, whole.value]);
          const latest = Math.min(cut, whole.from);
          expect(verdict === MORE ? hold : latest).toBeLessThanOrEqual(latest);
        }
      }),
      { numRuns: 1500 },
    );
  });
});

describe('the start of a name', () => {
  it.each([
    ['process.env.MY_token', 'process.env.MY_token'],
    ['("x-token', 'x-token'],
    ['my $token', '$token'],
    ['{"a/token', 'token'],
    [`${'n'.repeat(200)}token`, `${'n'.repeat(75)}token`],
  ])('of %j is that of %j', (text, name) => {
    const view = viewOf(`${text}: "abc"`);
    readAssignment(view, text.length - 'token'.length, text.length);
    expect(text.slice(nameStart(view, view.assigned))).toBe(name);
  });
});

it.each([
  ['important', true],
  ['Important', true],
  ['IMPORTANT', false],
  ['import', true],
  ['impor', false],
  ['k7Qz9mW2', false],
  ['camelCase', false],
])('the beginning of %s is that of a word of a sentence: %s', (text, plain) => {
  expect(isPlainWord(viewOf(text), 0)).toBe(plain);
});
