import { describe, expect, it } from 'vitest';
import { judge, rulesOf } from '../testing/rules.ts';

/** What may stand before a line end. The grammar takes a backslash behind it for the rest of the same command. */
const BEFORE = [
  'echo a',
  'echo',
  'echo a b',
  'echo *.none',
  'echo "a"',
  "echo 'a'",
  'echo a"b"',
  'echo "$v"',
  'echo $v',
  'echo ${v}',
  'echo $(echo a)',
  "echo $'a'",
  'echo a;',
  'echo a &',
  'echo a &&',
  'echo a ||',
  'echo a |',
  'echo a > /dev/null',
  'echo a 2>&1',
  'echo <<< a',
  'echo a <<END\nx\nEND',
  'echo a # comment',
  '# comment',
  'v=1',
  'v=a',
  'v="a"',
  'v=',
  'cd src',
  'true',
  'true &&\ntrue',
  'if true; then true; fi',
  'if true; then echo aHERE\nfi',
  'for v in a b; do echo aHERE; done',
  'f() { echo aHERE\n}; f',
  'echo "$(echo aHERE)"',
  "sh -c 'echo aHERE'",
  'case a in a) true;; esac',
  '{ true; }',
  '(true)',
  '[[ a == a ]]',
  '[ a = a ]',
  'export v',
  'export v=a',
  'unset v',
  'f() { true; }',
  '! true',
  '',
  '\\',
];
const FIRST = [
  '\n\\touch x',
  ' \n\\touch x',
  '\\touch x',
  "\\tou'ch' x",
  '\\t"ouch" x',
  '  \\touch x',
  '\\/usr/bin/touch x',
  '\t\\touch x',
  '\\\n\\touch x',
];
const ALLOWED = 'echo true cd export unset sh f'.split(' ').flatMap((name) => [name, `${name} *`]);
const allow = rulesOf(ALLOWED.map((name) => `--allow Bash(${name})`).join(' '));
const exclude = rulesOf('--exclude Bash(touch *)');

describe('a command whose name begins with a backslash, on a line of its own', () => {
  it.each(BEFORE)('is found behind %j', async (before) => {
    for (const first of FIRST) {
      const line = before.includes('HERE') ? before.replace('HERE', () => `\n${first}`) : `${before}\n${first}`;
      expect([line, (await judge('Bash', line, allow)).decision]).toEqual([line, 'ask']);
      expect([line, (await judge('Bash', line, exclude, 'auto')).decision]).toEqual([line, 'deny']);
    }
  });

  it('always asks if it destroys something', async () => {
    for (const line of ['echo a\n\\git reset --hard', 'cd src\n\\rm -rf /etc/x', 'echo a\n\\git push -f'])
      expect((await judge('Bash', line, rulesOf('--allow Bash'), 'auto')).decision).toBe('ask');
  });
});

describe('a backslash', () => {
  it.each([
    'echo a\\\nb',
    'echo a \\\n  b',
    'echo a\\ b\necho c',
    'echo \\\\\necho b',
    'echo a\n\\echo b',
    'echo "a\\\nb"',
  ])('in %j asks at most', async (line) => {
    expect(['allow', 'ask']).toContain((await judge('Bash', line, allow)).decision);
  });

  it.each(['echo a \\\n  b', 'echo a\\ b\necho c', "echo 'a\n\\b'", 'echo "a\n\\b"'])(
    'in %j does not ask',
    async (line) => {
      expect((await judge('Bash', line, allow)).decision).toBe('allow');
    },
  );
});
