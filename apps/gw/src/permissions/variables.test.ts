import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { promisify } from 'node:util';
import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { temporaryFolder } from '../testing/folder.ts';
import { judge, rulesOf } from './testing/rules.ts';

vi.setConfig({ testTimeout: 180_000 }); // hundreds of processes of Bash

/** A variable whose value runs a command where Bash evaluates it as a number or as the name of a variable. */
const PREPARED = "x='a[$'; x+='(touch pwned)]'; o=-v; a=(1); ";
const BUILTINS =
  ': [ builtin command declare echo exec export false for getopts if let local printf read readonly test true typeset unset wait while';
const ALLOWED = rulesOf(
  BUILTINS.split(' ')
    .map((name) => `--allow Bash(${name}) --allow Bash(${name} *)`)
    .join(' '),
);
const EXCLUDED = rulesOf('--exclude Bash(touch *)');

describe('a line in which Bash evaluates the value of a variable', () => {
  it.each([
    'test -v "$x"',
    'test "$o" "$x"',
    "test -v 'a[x]'",
    '[ ! -v "$x" ]',
    '[ -f $x ]',
    "[[ -v 'a[$''(touch pwned)]' ]]",
    "[[ 'a[$''(touch pwned)]' -eq 0 ]]",
    'printf -v "$x" y',
    'printf "-va[x]" y',
    'printf "$o" "$x" y',
    'read "$x" <<< 1',
    'read -rp prompt "$x" <<< 1',
    'command read "a[x]" <<< 1',
    'unset "$x"',
    'unset a[x]',
    'let x',
    'let "z=x"',
    'declare -i z=x',
    'declare -xi z; z=x',
    'declare "$o" z=x',
    'declare "$x=1"',
    'f() { local "$x=1"; }; f',
    'a+=([x]=1)',
    'for ((i=x; 0; )); do :; done',
    'for (("a[x]"; 0; )); do :; done',
    ': {a[x]}> /dev/null',
    'RANDOM=x',
    'export OPTIND=x',
    "printf -v PS4 '%s%s' '$' '(touch pwned)'; set -x; :",
    'BASH_ENV=f; export BASH_ENV; bash -c :',
  ])('%s', async (line) => {
    expect((await judge('Bash', PREPARED + line, ALLOWED)).decision).toBe('ask');
    expect((await judge('Bash', PREPARED + line, EXCLUDED, 'auto')).decision).toBe('deny');
  });

  it.each([
    'test -f "$x"',
    '[ "$x" = y ] || echo "$x"',
    '[[ -f $x && $x == a* ]] && echo',
    'printf \'%s\\n\' "$x"',
    'printf -v out %s "$x"',
    'while read -r line; do echo "$line"; done <<< y',
    'declare -a b=(c d); declare -r e="$x"',
    'b=([0]=c [1]=d); echo',
    'unset x',
    'wait "$x"',
    'export NODE_ENV=test',
  ])('is not %s', async (line) => {
    expect((await judge('Bash', PREPARED + line, ALLOWED)).decision).toBe('allow');
  });

  it.each([
    'printf -v PATH .',
    'read -r PATH <<< .',
    'builtin read PATH <<< .',
    'getopts a PATH -a',
    ': {PATH}> /dev/null',
  ])('nor does a rule allow a command after %s', async (line) => {
    expect((await judge('Bash', `${line}; echo x`, ALLOWED)).decision).toBe('ask');
  });
});

/** One of the texts that two blanks divide. */
const oneOf = (texts: string) => fc.constantFrom(...texts.trim().split(/\s{2,}/));
const begin = oneOf(`
  test  [  [[  printf  read  let  declare  typeset  readonly  export  unset  wait  getopts  :  echo  exec  command test
  builtin printf  builtin read  f() { local  for ((  a+=(  b=(`);
const part = oneOf(`
  -v  -i  -n  -a  -R  -p  -r  -f  -eq  -nt  !  -o  =  %s  1  0  -  --  +i  <<< 1  > /dev/null  2>&1  -ax  -d  ab  %n
  x  a  $x  "$x"  $o  "$o"  "a"  'x'  ''  *  a[x]  'a[x]'  "a[x]"  a[$x]  "a[$x]"  [x]=1  z=x  a[x]=1  "a[x]=1"
  z="$x"  z=$x  "$x=1"  {x}>/dev/null  {a[x]}>/dev/null  -vx  -v'a[x]'  \${x}  \${x:x}  \${a[x]}  \${#x}  PS4="$x"
  PS4  RANDOM=x  OPTIND=x  PATH  ; set -x; :  ; :  && :`);
const end = fc.constantFrom('', ' ]', ' ]]', ')', '; }; f', '; 0; )); do :; done', '=x; 0; )); do :; done');
const line = fc
  .tuple(begin, fc.array(part, { maxLength: 4 }), end)
  .map(([first, parts, last]) => `${PREPARED}${[first, ...parts].join(' ')}${last}`);

async function runs(command: string): Promise<boolean> {
  const cwd = temporaryFolder();
  const running = promisify(execFile)('/bin/bash', ['-c', command], {
    cwd,
    env: { PATH: '/usr/bin:/bin' },
    timeout: 5000,
  });
  running.child.stdin?.end();
  await running.catch(() => undefined);
  return (await readdir(cwd)).includes('pwned');
}

it('no line of builtins that the rules allow runs another command in real Bash', async () => {
  const ran: string[] = [];
  let allowed = 0;
  for (const one of new Set(fc.sample(line, 500))) {
    const decisions = [await judge('Bash', one, ALLOWED), await judge('Bash', one, EXCLUDED, 'auto')];
    if (decisions.every(({ decision }) => decision !== 'allow')) continue;
    allowed += 1;
    if (await runs(one)) ran.push(one);
  }
  expect(ran).toEqual([]);
  expect(allowed).toBeGreaterThan(30);
});
