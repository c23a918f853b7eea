import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judge, rulesOf } from './testing/rules.ts';

describe('words behind a redirection belong to the command', () => {
  it.each([
    'find . > /dev/null -delete',
    "find . 2>&1 -exec touch x ';'",
    'git > /dev/null log --output=x',
    'git log < /dev/null --output=x',
    'git log 2> /dev/null --output=x 2>&1',
    'git log <<END --output=x\nEND',
    'git log <<END > /dev/null --output=x\nEND',
  ])('%j is not covered without them', async (line) => {
    const rules = rulesOf('--allow Bash(find .) --allow Bash(git log) --allow Bash(git)');
    expect((await judge('Bash', line, rules)).decision).toBe('ask');
  });

  it.each([
    'env > /dev/null touch x',
    'sh 2>&1 -c "touch x"',
    "find . > /dev/null -exec touch x ';'",
    'xargs < /dev/null touch',
    'sh <<END -c "touch x"\nEND',
    '> /dev/null 2>&1 touch x',
  ])('%j meets an exclusion', async (line) => {
    expect((await judge('Bash', line, rulesOf('--exclude Bash(touch *)'), 'auto')).decision).toBe('deny');
  });

  it.each(['git push > /dev/null --force', 'rm 2> /dev/null -rf /etc/x', 'git > /dev/null reset --hard'])(
    '%j always asks',
    async (line) => {
      expect((await judge('Bash', line, rulesOf('--allow Bash'), 'auto')).decision).toBe('ask');
    },
  );
});

/** One of the texts that two blanks divide. */
const oneOf = (texts: string) => fc.constantFrom(...texts.trim().split(/\s{2,}/));

it('the decision about a command is the same wherever its redirection is written', async () => {
  const command = oneOf(`
    touch x  git push --force  git log --output=x  git log  env A=b touch x  rm -rf /etc/x  sh -c 'touch x'
    find . -delete  npm run test  timeout 5 touch x  echo a  cat a b  $X a b`);
  const redirection = fc.constantFrom('> /dev/null', '2>&1', '2> /dev/null', '< /dev/null', '&> /dev/null');
  const rules = oneOf(`
    --exclude Bash(touch *)  --exclude Bash(git log --output=*)  --exclude Bash(git push *)  --allow Bash  --ask Bash
    --allow Bash(git log)  --allow Bash(echo)  --allow Bash(cat a)  --allow Bash(npm run *)`);
  const mode = fc.constantFrom('normal' as const, 'auto' as const, 'plan' as const);
  await fc.assert(
    fc.asyncProperty(command, redirection, fc.nat(), rules, mode, async (line, to, position, options, used) => {
      const words = line.match(/'[^']*'|\S+/g) ?? [];
      const at = position % (words.length + 1);
      const moved = [...words.slice(0, at), to, ...words.slice(at)].join(' ');
      const decisions = await Promise.all(
        [moved, `${line} ${to}`].map(async (one) => (await judge('Bash', one, rulesOf(options), used)).decision),
      );
      expect(decisions[0]).toBe(decisions[1]);
    }),
    { numRuns: 300 },
  );
});
