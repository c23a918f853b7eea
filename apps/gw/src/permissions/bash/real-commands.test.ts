import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import { temporaryFolder } from '../../testing/folder.ts';
import { judge, rulesOf } from '../testing/rules.ts';
import { parseLine } from './parse-line.ts';
import type { Word } from './types.ts';

vi.setConfig({ testTimeout: 180_000 }); // hundreds of processes of Bash

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
/** One of the texts that two blanks divide. */
const oneOf = (texts: string) => fc.constantFrom(...texts.trim().split(/\s{2,}/));

/** `pa` and `pb` are programs that note how they were started. */
const word = oneOf(`
  a  b1  -x  --long=v  'a b'  "a b"  "it's"  a\\ b  $'a\\tb'  ''  ""  a"b"'c'  é  "$v"  $v  \${v}  "\${v:-d}"  *.none  x{1,2}  @  a=b  =
  "a\\"b"  %s  ,  ~x  \\$v  '$v'  --`);
const simple = fc
  .tuple(
    oneOf("pa  pb  pa  \"pa\"  p'b'  \\pa  p\\b  $'pa'  ''pb  \"p\"a  {pa,-y}  ${n:-pb}  $n"),
    fc.array(word, { maxLength: 3 }),
  )
  .map((parts) => parts.flat().join(' '));
type Rewrite = (one: string, other: string) => string;
const rewrites: readonly Rewrite[] = [
  (one, other) => `${one} && ${other}`,
  (one, other) => `${one} || ${other}`,
  (one, other) => `${one}; ${other}`,
  (one, other) => `${one}\n${other}`,
  (one, other) => `${one} | ${other}`,
  (one, other) => `${one} |& ${other}`,
  (one) => `( ${one} )`,
  (one) => `{ ${one}; }`,
  (one) => `! ${one}`,
  (one, other) => `if ${one}; then ${other}; else ${other}; fi`,
  (one) => `for v in 1 2; do ${one}; done`,
  (one, other) => `case a in a) ${one};; *) ${other};; esac`,
  (one) => `while ${one}; do break; done`,
  (one) => `until ${one}; do break; done`,
  (one) => `pa "$(${one})"`,
  (one) => `pa <(${one})`,
  (one) => `v=$(${one}); pb "$v"`,
  (one) => `f() { ${one}; }; f`,
  (one) => `${one} > /dev/null 2>&1`,
  (one) => `> /dev/null ${one}`,
  (one) => `${one} <<< text`,
  (one) => `${one} # comment`,
  (one) => `timeout 5 ${one}`,
  (one) => `nice -n 1 ${one}`,
  (one) => `env A=b ${one}`,
  (one) => `command ${one}`,
  (one) => `nohup ${one}`,
  (one) => `sh -c ${quoted(one)}`,
  (one) => `bash -e -c ${quoted(one)}`,
  (one) => `eval ${quoted(one)}`,
  (one) => `printf 'n\\n' | xargs ${one}`,
  (one) => `printf 'n\\n' | xargs -I{} ${one} {}`,
  (one) => `find . -maxdepth 0 -exec ${one} {} ';'`,
  (one) => `trap ${quoted(one)} EXIT`,
  (one) => `pa a\\\n${one}`,
  (one) => `[[ a == a ]] && ${one}`,
  (one) => `cat <<END\n$(${one})\nEND`,
  (one) => `bash <<'END'\n${one}\nEND`,
  (one) => `time ${one}`,
  (one) => `((1)) && ${one}`,
];
const line = fc
  .tuple(simple, fc.array(fc.tuple(fc.constantFrom(...rewrites), simple), { maxLength: 3 }))
  .map(([first, steps]) => steps.reduce((one, [rewrite, other]) => rewrite(one, other), first));

/** What programs note: for each line, the words of every start. */
function started(lines: readonly string[]): readonly (readonly (readonly string[])[])[] {
  const folder = temporaryFolder();
  const programs = join(folder, 'programs');
  mkdirSync(programs);
  mkdirSync(join(folder, 'work'));
  for (const name of ['pa', 'pb']) {
    writeFileSync(join(programs, name), `#!/bin/sh\n{ printf '%s\\0' ${name} "$@"; printf '\\1'; } >> "$NOTES.$$"\n`);
    chmodSync(join(programs, name), 0o755);
  }
  const script = `at=0; for line; do mkdir ${folder}/notes$at; export NOTES=${folder}/notes$at/of n=pa; (eval "$line") > /dev/null 2>&1 < /dev/null; at=$((at + 1)); done`;
  const env = { PATH: `${programs}:/usr/bin:/bin` };
  execFileSync('/bin/bash', ['-c', script, 'bash', ...lines], { cwd: join(folder, 'work'), env, stdio: 'ignore' });
  return lines.map((_, at) => {
    const notes = join(folder, `notes${at}`);
    const text = readdirSync(notes).map((name) => readFileSync(join(notes, name), 'utf8'));
    return text.flatMap((one) =>
      one
        .split('\x01')
        .slice(0, -1)
        .map((words) => words.split('\0').slice(0, -1)),
    );
  });
}

/** Whether a command of the parsed line may have been started with these words. */
function isFound([head, ...rest]: readonly Word[], texts: readonly string[]): boolean {
  if (head === undefined) return texts.length === 0;
  if (head.splits) return texts.some((_, at) => isFound(rest, texts.slice(at))) || isFound(rest, []);
  const [text, ...others] = texts;
  return text !== undefined && (head.dynamic || head.text === text) && isFound(rest, others);
}

it('every program that real Bash starts is among the commands that the rules judge, with its words', async () => {
  const lines = [...new Set(fc.sample(line, 120))];
  const parsed = await Promise.all(lines.map((one) => parseLine(one)));
  const certain = parsed.filter((one) => one.parsed && one.opaque.length === 0);
  const missed: string[] = [];
  for (const [at, starts] of started(certain.map(({ source }) => source)).entries()) {
    const { commands = [], source = '' } = certain[at] ?? {};
    for (const words of starts)
      if (!commands.some((command) => isFound(command.words, words))) missed.push(`${source} ran ${words.join(' ')}`);
  }
  expect(missed).toEqual([]);
  expect(certain.length).toBeGreaterThan(60);
});

it('a line of allowed programs with literal words does not ask', async () => {
  // No options: a wildcard covers none of a program that the table does not know.
  const literal = oneOf(
    `a  b1  'a b'  "it's"  a\\ b  $'a\\tb'  ''  a"b"'c'  é  '$v'  \\$v  a=b  %s  , "a;b"  'a|b'  "(x)"`,
  );
  const plain = fc
    .tuple(oneOf('pa  "pa"  p\'a\'  pb'), fc.array(literal, { minLength: 1, maxLength: 3 }))
    .map((parts) => parts.flat().join(' '));
  const harmless = rewrites.slice(0, 8);
  const lines = fc
    .tuple(plain, fc.array(fc.tuple(fc.constantFrom(...harmless), plain), { maxLength: 3 }))
    .map(([first, steps]) => steps.reduce((one, [rewrite, other]) => rewrite(one, other), first));
  const rules = rulesOf('--allow Bash(pa *) --allow Bash(pb *) --allow Bash(break)');
  await fc.assert(
    fc.asyncProperty(lines, async (one) => {
      expect((await judge('Bash', one, rules)).decision).toBe('allow');
    }),
    { numRuns: 300 },
  );
});
