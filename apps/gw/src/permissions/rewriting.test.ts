import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { judge, rulesOf } from './testing/rules.ts';

vi.setConfig({ testTimeout: 180_000 }); // hundreds of processes of Bash

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
const inside = (text: string): string => `"${text.replaceAll(/["$`\\]/g, '\\$&')}"`;

/** Ways in which people write the name of a program. */
const NAMES: readonly ((name: string) => string)[] = [
  (name) => name,
  (name) => `"${name}"`,
  (name) => `'${name}'`,
  (name) => `${name.slice(0, 2)}''${name.slice(2)}`,
  (name) => `${name.slice(0, 1)}\\${name.slice(1)}`,
  (name) => `${name.slice(0, 3)}"${name.slice(3)}"`,
  (name) => `$'\\x${name.charCodeAt(0).toString(16)}${name.slice(1)}'`,
  (name) => `$(echo ${name})`,
  (name) => `\`echo ${name}\``,
  (name) => `\${NOT_SET:-${name}}`,
  (name) => `/usr/bin/${name}`,
  (name) => `/usr/bin/${name.slice(0, 2)}?${name.slice(3)}`,
  (name) => `{${name},}`,
];
/** Ways in which a line runs another line. */
const REWRITINGS: readonly ((line: string) => string)[] = [
  (line) => `true; ${line}`,
  (line) => `true && ${line}`,
  (line) => `false || ${line}`,
  (line) => `true | ${line}`,
  (line) => `true & ${line}`,
  (line) => `true\n${line}`,
  (line) => `(${line})`,
  (line) => `{ ${line}; }`,
  (line) => `! ${line}`,
  (line) => `echo $(${line})`,
  (line) => `echo "$(${line})"`,
  (line) => `cat <(${line})`,
  (line) => `A=$(${line})`,
  (line) => `echo \${A:-$(${line})}`,
  (line) => `if true; then ${line}; fi`,
  (line) => `while ${line}; do break; done`,
  (line) => `for i in 1; do ${line}; done`,
  (line) => `case a in a) ${line};; esac`,
  (line) => `f() { ${line}; }; f`,
  (line) => `sh -c ${quoted(line)}`,
  (line) => `bash -ec ${inside(line)}`,
  (line) => `eval ${quoted(line)}`,
  (line) => `eval ${inside(line)}`,
  (line) => `env A=b sh -c ${quoted(line)}`,
  (line) => `echo ${quoted(line)} | sh`,
  (line) => `sh <<'END'\n${line}\nEND`,
  (line) => `cat <<END\n$(${line})\nEND`,
  (line) => `bash <<< ${quoted(line)}`,
  (line) => `X=${quoted(line)}; eval "$X"`,
  (line) => `X=${quoted(line)}; $X`,
  (line) => `trap ${quoted(line)} EXIT`,
  (line) => `shopt -s expand_aliases; alias t=${quoted(line)}\nt`,
  (line) => `ls | xargs -I{} sh -c ${quoted(line)}`,
  (line) => `find . -maxdepth 0 -exec sh -c ${quoted(line)} ';'`,
  (line) => `timeout 5 nice sh -c ${quoted(line)}`,
  (line) => `git -c alias.x=${quoted(`!${line}`)} x`,
  (line) => `${line} > /dev/null 2>&1`,
  (line) => `env 2> /dev/null sh -c ${quoted(line)}`,
  (line) => `sh < /dev/null 2>&1 -c ${quoted(line)}`,
  (line) => `  ${line}  # comment`,
];

describe('no rewriting of an excluded command is allowed', () => {
  const rules = rulesOf('--exclude Bash(touch *)', {}, {});
  const line = fc
    .record({ name: fc.constantFrom(...NAMES), rewritings: fc.array(fc.constantFrom(...REWRITINGS), { maxLength: 4 }) })
    .map(({ name, rewritings }) => rewritings.reduce((one, rewrite) => rewrite(one), `${name('touch')} pwned`));

  it('in auto mode', async () => {
    await fc.assert(
      fc.asyncProperty(line, async (command) => {
        expect((await judge('Bash', command, rules, 'auto')).decision).toBe('deny');
      }),
      { numRuns: 600 },
    );
  });
});

describe('what a rule for echo allows runs nothing else', () => {
  const rules = rulesOf('--allow Bash(echo *)');
  // Pieces that are put together at random: most lines are wrong, some are surprising.
  const piece = fc.constantFrom(
    'echo',
    'echo a',
    ' ',
    ';',
    '\n',
    '|',
    '&',
    '&&',
    '(',
    ')',
    '{',
    '}',
    '$(',
    '`',
    '"',
    "'",
    '\\',
    '$',
    '#',
    '<<E',
    '\nE\n',
    '<(',
    '>',
    '>&',
    '2',
    '<',
    '${',
    '$((',
    '))',
    '[[',
    ']]',
    '!',
    '=',
    'x',
    'x=',
    '$x',

    'touch pwned',
    'touch pwned',
    'if',
    'then',
    'fi',
    'for',
    'in',
    'do',
    'done',
    'case',
    'esac',
    'f()',
    'eval',
    'exec',
    '\\\n',
    "$'",
    '\\x74',
    '@P',
    ':-',
    '*',
    '?',
    '~',
    ',',
    '..',
    '\t',
    '<<-E',
    "<<'E'",
    '<<<',
    '|&',
    ';;',
    'coproc',
    'function',
  );
  it('in real Bash', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'gw-bash-'));
    const allowed: string[] = [];
    const sample = fc.sample(fc.array(piece, { minLength: 2, maxLength: 9 }), {
      numRuns: 2000,
      seed: Number(process.env.TEST_SEED ?? 1),
    });
    for (const pieces of sample) {
      const command = `echo ${pieces.join(' ')}`;
      const tight = `echo ${pieces.join('')}`;
      for (const one of [command, tight]) if ((await judge('Bash', one, rules)).decision === 'allow') allowed.push(one);
    }
    expect(allowed.length).toBeGreaterThan(50);
    for (const one of [...new Set(allowed)].slice(0, 200)) {
      await promisify(execFile)('/bin/bash', ['-c', one], {
        cwd: directory,
        timeout: 5000,
        env: { PATH: '/usr/bin:/bin' },
      }).catch(() => undefined);
      expect(await readdir(directory), one).toEqual([]);
    }
    await rm(directory, { recursive: true });
  });
});
