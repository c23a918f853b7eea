import { describe, expect, it } from 'vitest';
import type { Environment } from './context/environment.ts';
import { EXAMPLES } from './examples.ts';
import { run } from './run.ts';

/** Runs a command line on a machine without a database, as far as its words are read. */
async function ran(words: readonly string[]) {
  let [out, err] = ['', ''];
  const terminal = {
    write: async (text: string) => void (out += text),
    report: (text: string) => void (err += text),
    watched: false,
    columns: null,
  };
  const environment = { signingKeyFile: '/nowhere/key.pem', operator: 'tester@machine' } as Environment;
  return { code: await run(words, environment, terminal), out, err };
}

/** The words of an example, as a shell splits them. */
const wordsOf = (line: string): string[] => (line.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replaceAll('"', ''));
/** Examples that have an argument after the names of the command, with the position of that argument. */
const WITH_ARGUMENT = Object.entries(EXAMPLES).flatMap(([path, [line = '']]): [string, string[], number][] => {
  const [words, at] = [wordsOf(line), path.split(' ').length];
  return words[at] === undefined || /^[->]/.test(words[at]) ? [] : [[path, words, at]];
});
const WITH_OPTION = Object.entries(EXAMPLES).flatMap(([path, lines]): [string, string[], string][] =>
  lines.map(wordsOf).flatMap((words): [string, string[], string][] => {
    const at = words.findIndex((word) => /^--(?!json|check|status|list|prune|dry-run|show)/.test(word));
    return at < 0 || words[at] === undefined ? [] : [[path, words, words[at]]];
  }),
);

describe('an empty argument, as an unset variable of a script leaves it', () => {
  it.each(WITH_ARGUMENT)('is wrong usage of %s', async (_, words, at) => {
    const { code, out, err } = await ran(words.with(at, ''));
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(/^gatewayctl: The .+ must not be empty\.\n$/);
  });

  it.each(WITH_OPTION)('is wrong usage of an option of %s', async (_, words, option) => {
    const { code, err } = await ran(words.with(words.indexOf(option) + 1, ''));
    expect([code, err]).toEqual([2, `gatewayctl: ${option} must not be empty.\n`]);
  });
});

describe('an option that is given twice', () => {
  it.each(
    WITH_OPTION.filter(([, , option]) => !['--public-key', '--archive', '--export', '--capability'].includes(option)),
  )('is wrong usage of %s', async (_, words, option) => {
    const value = words[words.indexOf(option) + 1] ?? '';
    const { code, err } = await ran([...words, option, value]);
    expect([code, err]).toEqual([2, `gatewayctl: ${option} is given twice. Keep one.\n`]);
  });
});
