import { execFileSync } from 'node:child_process';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseLine } from './parse-line.ts';

/** The words of a line of one command, or null where they are not known before it runs. */
async function knownWords(line: string): Promise<readonly string[] | null> {
  const { parsed, opaque, commands } = await parseLine(line);
  const [command, ...others] = commands;
  if (!parsed || opaque.length > 0 || command === undefined || others.length > 0) return null;
  if (command.redirections.length + command.assignments.length + command.input.length > 0) return null;
  return command.words.some(({ dynamic, splits }) => dynamic || splits) ? null : command.words.map(({ text }) => text);
}

const SCRIPT = `pass() { [ $# = 0 ] || printf '%s\\0' "$@"; }
for line; do eval "pass $line" 2> /dev/null && printf '\\2'; printf '\\1'; done`;

/** What Bash passes to a program; null for a line that it refuses. */
function bashWords(lines: readonly string[]): readonly (readonly string[] | null)[] {
  const output = execFileSync('/bin/bash', ['-c', SCRIPT, 'bash', ...lines], { encoding: 'utf8' });
  return output
    .split('\x01')
    .slice(0, -1)
    .map((words) => (words.endsWith('\x02') ? words.split('\0').slice(0, -1) : null));
}

describe('a word', () => {
  it.each([
    ['a\'b\'"c"d', ['abcd']],
    ["'a b'", ['a b']],
    ['a\\ b', ['a b']],
    ['"a\\"b\\$c\\\\d\\e"', ['a"b$c\\d\\e']],
    ["$'a\\nb\\x41\\101\\u00e9'", ['a\nbAAé']],
    ["$'a\\0b'", ['a']],
    ["$'\\$\\'\\q'", ["\\$'\\q"]],
    ["'a'\\'", ["a'"]],
    ["''", ['']],
    ["'$x' \\$x", ['$x', '$x']],
    ['-- -x a=b', ['--', '-x', 'a=b']],
  ])('%s is read as %j', async (line, words) => {
    expect(await knownWords(`echo ${line}`)).toEqual(['echo', ...words]);
    expect(bashWords([line])).toEqual([words]);
  });

  it.each(['p""\\ush', '"a"\\ b'])('%s, which the grammar divides, is not known', async (line) => {
    expect(await knownWords(`git ${line} x`)).toBeNull();
  });

  it.each([
    '$x',
    '"$x"',
    '$(x)',
    '`x`',
    '{a,b}',
    'a{1..3}',
    '*',
    'a?',
    '[ab]',
    '~$x',
    '$((1))',
    '"${x}"',
    'a$',
    "$'a'*",
  ])('%s is not known before the line runs, or stands for no other text', async (line) => {
    const words = await knownWords(`echo ${line}`);
    expect(words === null || words[1] === line).toBe(true);
  });
});

it('a word that counts as known is what Bash passes on', async () => {
  const pieces = [
    ["'", '"', '\\', '$', '`', '{', '}', ',', '..', '*', '?', '[', ']', '!', '#', '=', '+', '@', '%', '^', '-', ':'],
    [' ', '\n', '\t', 'a', 'b1', 'é', '\\n', '\\\n', "$'", '\\x41', '\\u41', '\\101', '\\cG', '\\0', '""', "''", '$"'],
    ['"a b"', "'a b'", "'\\'", '"\\\\"', '"\\a"', '\\"', "\\'", '\\\\', '/', '.', ';', '|', '(', ')', '<', '>'],
  ];
  const lines = fc
    .sample(fc.array(fc.constantFrom(...pieces.flat()), { minLength: 1, maxLength: 8 }), 3000)
    .map((each) => each.join(''));
  const known: [string, readonly string[]][] = [];
  for (const line of lines) {
    const words = await knownWords(`pass ${line}`);
    if (words !== null) known.push([line, words.slice(1)]);
  }
  const passed = bashWords(known.map(([line]) => line));
  const both = known.filter((_, at) => passed[at] !== null);
  expect(both.length).toBeGreaterThan(200);
  expect(both).toEqual(known.map(([line], at) => [line, passed[at]]).filter(([, words]) => words !== null));
});
