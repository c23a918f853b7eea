import { defineCommand, isGiven, valueOf, wholeNumber } from '../command/command.ts';
import type { PrOptions } from './options.ts';

export const pr = defineCommand({
  usage: {
    name: 'gw pr',
    purpose:
      'Turns the changes of the work tree and of this branch into a pull request: runs the checks of the repository, lets the model fix what they find, writes the commit message and the description, shows the difference, asks, pushes, and opens the request with gh or glab where one is installed. It never pushes to the base branch and never forces a push.',
    options: [
      { long: '--yes', about: 'do not ask before the commit and the push; checks are still asked for' },
      { long: '--max-retries', value: '<n>', about: 'how often the model may fix what a check finds (default: 5)' },
      {
        long: '--guidelines',
        value: '<path>',
        about: 'file with guidelines for requests and with the checks (default: CONTRIBUTING.md)',
      },
      { long: '--base-branch', value: '<ref>', about: 'branch that the request is for (default: main)' },
      { long: '--dry-run', about: 'stop before the commit and restore the work tree' },
      { long: '--config', value: '<path>', about: 'use this configuration file, and trust it' },
    ],
    notes: [
      'Checks: the commands of a code block below a heading "Checks" of the guidelines; else those that package.json, Makefile, Cargo.toml, go.mod or pyproject.toml suggest. Each check is a Bash call: it runs where your rules allow it, or you say yes, in the sandbox and without variables that look like secrets. The model may read and edit files; its other tools follow the same rules.',
      'Interrupted, it restores the branch and the work tree. Exit code: 0 done; 1 a check still fails, or git or the engine failed; 2 wrong usage; 3 a check may not run; 4 the gateway refused; 130 interrupted.',
    ],
    examples: [
      { line: 'gw pr', does: 'asks before it commits and pushes' },
      { line: 'gw pr --dry-run', does: 'shows message, description and difference, and leaves everything as it was' },
      { line: 'gw pr --yes --base-branch develop', does: 'opens a request for develop without asking' },
    ],
  },
  parse: (given): PrOptions => ({
    yes: isGiven(given, '--yes'),
    maxRetries: wholeNumber(given, '--max-retries', 5, 0, 100),
    guidelines: valueOf(given, '--guidelines'),
    baseBranch: valueOf(given, '--base-branch') ?? 'main',
    dryRun: isGiven(given, '--dry-run'),
    config: valueOf(given, '--config'),
  }),
  run: async (context, options) => (await import('./pr-run.ts')).runPr(context, options),
});
