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

/** The words of an example, as a shell splits them, without what it redirects. */
const wordsOf = (line: string): string[] =>
  (line.replace(/ > .*$/, '').match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replaceAll('"', ''));
/** Examples that have an argument after the names of the command, with the position of that argument. */
const WITH_ARGUMENT = Object.entries(EXAMPLES).flatMap(([path, [line = '']]): [string, string[], number][] => {
  const [words, at] = [wordsOf(line), path.split(' ').length];
  return words[at] === undefined || /^[->]/.test(words[at]) ? [] : [[path, words, at]];
});
const WITH_OPTION = Object.entries(EXAMPLES).flatMap(([path, lines]): [string, string[], string][] =>
  lines.map(wordsOf).flatMap((words): [string, string[], string][] => {
    const at = words.findIndex((word) =>
      /^--(?!json|check|status|list|prune|dry-run|force|show|note\b|verify|rebuild)/.test(word),
    );
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
    WITH_OPTION.filter(
      ([, , option]) => !['--public-key', '--archive', '--export', '--capability', '--key'].includes(option),
    ),
  )('is wrong usage of %s', async (_, words, option) => {
    const value = words[words.indexOf(option) + 1] ?? '';
    const { code, err } = await ran([...words, option, value]);
    expect([code, err]).toEqual([2, `gatewayctl: ${option} is given twice. Keep one.\n`]);
  });
});

describe('an argument that cannot be right', () => {
  it.each([
    [
      ['policy', 'explain', 'alice', 'nonsense', 'instance'],
      /^There is no permission "nonsense"\. The permissions are: /,
    ],
    [
      ['policy', 'explain', 'alice', 'inference:appeler', 'instance'],
      /is asked on endpoint:NAME, not on "instance"\.$/,
    ],
    [
      ['policy', 'explain', 'alice', 'inference:appeler', 'endpoint:a', '--at', 'noon'],
      /^--at must be an ISO 8601 instant/,
    ],
    [
      ['policy', 'explain', 'alice', 'inference:appeler', 'endpoint:a', '--source-address', 'here'],
      /^--source-address must be/,
    ],
    [['retention', 'nonsense', '1'], /^There is no log "nonsense" with a retention\. Name one of: /],
    [['retention', 'decisions'], /^Give the months too, or default: /],
    [['retention', 'decisions', '0'], /^Give a number of months from 1 to 999, or default, not "0"\.$/],
    [['journal', 'export', '--after', 'x'], /^--after takes the sequence of an entry\.$/],
    [['account', 'create', 'alice', '--expires', '2999-02-30'], /^"2999-02-30" is not an instant such as /],
    [['grant', 'alice', 'boss', 'me'], /^There is no role "boss"\. The roles are: /],
  ])('of %j is refused before the database is opened', async (words, message) => {
    const { code, out, err } = await ran(words);
    expect([code, out]).toEqual([2, '']);
    expect(err.replace(/^gatewayctl: /, '').trimEnd()).toMatch(message);
  });
});
