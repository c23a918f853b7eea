import { ROLE_ALIASES, ROLE_NAMES } from '@gateway/contract';
import { roleLabel } from '@gateway/contract/labels';
import type { Command } from 'commander';
import { expect, it } from 'vitest';
import { EXAMPLES } from './examples.ts';
import { COMMANDS, createProgram } from './run.ts';

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

const groups = [...new Set(paths.flatMap((path) => path.split(' ').map((_, at, all) => all.slice(0, at).join(' '))))];

it.each(groups)('the help of the group "%s" lists its commands and shows examples', async (group) => {
  const { out } = await parse([...group.split(' ').filter((word) => word !== ''), '--help']);
  const below = paths.filter((path) => group === '' || path.startsWith(`${group} `));
  for (const path of below) {
    const [name] = group === '' ? path.split(' ') : path.slice(group.length + 1).split(' ');
    expect(out).toMatch(new RegExp(`^ {2}${name}  `, 'm'));
  }
  expect(out.split('\n').filter((line) => line.startsWith('  gatewayctl ')).length).toBeGreaterThanOrEqual(2);
});

it.each([...groups, ...paths])('the help of "%s" fits a terminal of 80 columns', async (path) => {
  const { out } = await parse([...path.split(' ').filter((word) => word !== ''), '--help']);
  // A line to copy stays whole.
  expect(out.split('\n').filter((line) => line.length > 80 && !line.startsWith('  gatewayctl '))).toEqual([]);
});

it.each(['grant', 'revoke-role'])('%s --help lists the roles with their aliases', async (path) => {
  const { out } = await parse([path, '--help']);
  for (const role of ROLE_NAMES) expect(out).toContain(`  ${ROLE_ALIASES[role]} (${roleLabel(role)}; ${role})\n`);
});

it('an unknown command is answered with the way to all commands', async () => {
  expect((await parse(['nonsense'])).out).toBe("error: unknown command 'nonsense'\nAll commands: gatewayctl --help\n");
});
