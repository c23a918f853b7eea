import { ROLE_ALIASES, ROLE_NAMES } from '@gateway/contract';
import type { Command } from 'commander';
import { expect, it } from 'vitest';
import { COMMANDS } from './commands.ts';
import { EXAMPLES } from './examples.ts';
import { createProgram } from './program.ts';

const paths = COMMANDS.map(({ usage }) =>
  usage
    .split(' ')
    .filter((word) => !/^[<[]/.test(word))
    .join(' '),
);

/** Words of a command line as a shell reads them: blanks part them, except between double quotes. */
function wordsOf(line: string): string[] {
  const [words = ''] = line.split(' > ');
  return [...words.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '');
}

/** Runs a command line up to its action. @returns the output, and whether the action was reached */
async function parse(words: readonly string[]): Promise<{ reached: boolean; out: string }> {
  let reached = false;
  let out = '';
  const program = createProgram(async () => {
    reached = true;
  });
  const capture = (command: Command): void => {
    command.exitOverride().configureOutput({ writeOut: (text) => (out += text), writeErr: (text) => (out += text) });
    for (const below of command.commands) capture(below);
  };
  capture(program);
  await program.parseAsync(words, { from: 'user' }).catch(() => undefined);
  return { reached, out };
}

it('examples belong to commands that exist, and each command has some', () => {
  expect(Object.keys(EXAMPLES).sort()).toEqual([...paths].sort());
});

it.each(paths)('%s --help shows examples, and the command line takes each of them', async (path) => {
  const help = await parse([...path.split(' '), '--help']);
  expect(help.out).toContain('Examples:');
  for (const example of EXAMPLES[path] ?? []) {
    expect(help.out).toContain(`  gatewayctl ${example}\n`);
    expect(example.startsWith(path)).toBe(true);
    expect(await parse(wordsOf(example))).toEqual({ reached: true, out: '' });
  }
});

it.each(['grant', 'revoke-role'])('%s --help lists the roles with their aliases, on 80 columns', async (path) => {
  const { out } = await parse([path, '--help']);
  for (const role of ROLE_NAMES) expect(out).toContain(`  ${role}, ${ROLE_ALIASES[role]}\n`);
  expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
});

it('an unknown command is answered with the way to all commands', async () => {
  expect((await parse(['nonsense'])).out).toBe("error: unknown command 'nonsense'\nAll commands: gatewayctl --help\n");
});
