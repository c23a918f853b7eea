import { WrongUsage } from '../../process/fault.ts';
import { defineCommand, isGiven, type Usage, valueOf } from '../command/command.ts';
import { oneOf } from '../command/values.ts';
import { type MainOptions, parseSessionOptions, SESSION_OPTIONS } from './options.ts';

export const USAGE: Usage = {
  name: 'gw',
  purpose: 'A coding agent for the terminal. It works through the gateway, under your organization’s policy.',
  positionals: [{ name: '[prompt]', about: 'the first message; with -p, what to answer' }],
  options: [
    { long: '--print', short: '-p', about: 'print the answer and exit' },
    { long: '--format', value: '<format>', about: 'print a JSON envelope (json); only with -p' },
    { long: '--silent', about: 'remove tags such as <think> and surplus blanks; only with -p' },
    { long: '--resume', about: 'continue the latest session of this repository' },
    { long: '--fork', value: '<session>', about: 'start with a copy of this session' },
    ...SESSION_OPTIONS,
    { long: '--version', short: '-V', about: 'print the version' },
  ],
  notes: [
    'Exit codes: 0 done; 1 failed; 2 wrong usage or configuration; 3 done, but a tool was denied; 4 the gateway refused; 130 interrupted.',
  ],
  examples: [
    { line: 'gw', does: 'starts a session in the terminal' },
    { line: 'git diff | gw -p "Review this change"', does: 'answers once, with the diff as context' },
    { line: 'gw -p --allow "Bash(npm test)" "Make the tests pass"', does: 'allows one command and nothing else' },
  ],
};

export const session = defineCommand<MainOptions>({
  usage: USAGE,
  parse(given) {
    const print = isGiven(given, '--print');
    const [resume, fork] = [isGiven(given, '--resume'), valueOf(given, '--fork')];
    for (const name of ['--format', '--silent', '--org'])
      if (isGiven(given, name) && !print) throw new WrongUsage(`${name} works only with -p (--print).`);
    if (resume && fork !== null) throw new WrongUsage('--resume and --fork exclude each other. Keep one of them.');
    return {
      ...parseSessionOptions(given),
      print,
      format: oneOf(given, '--format', ['json']),
      silent: isGiven(given, '--silent'),
      resume,
      fork,
      session: valueOf(given, '--session'),
      prompt: given.positionals[0] ?? null,
    };
  },
  run: async (context, options) => (await import('./run.ts')).runSession(context, options),
});
