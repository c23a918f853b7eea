import { WrongUsage } from '../../process/fault.ts';
import { defineCommand, isGiven, oneOf, type Usage, valueOf, valuesOf, wholeNumber } from '../command/command.ts';
import { type MainOptions, parseSessionOptions, SESSION_OPTIONS } from './options.ts';

/** An identifier of a session, or its beginning: a prompt does not look like it. */
const SESSION_ID = /^0[0-9a-f]{3,7}(?:-[0-9a-f-]{0,27})?$|^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{0,22}$/i;

export const USAGE: Usage = {
  name: 'gw',
  purpose: 'A coding agent for the terminal. It works through the gateway, under your organization’s policy.',
  positionals: [{ name: '[prompt]', about: 'the first message; with -p, what to answer' }],
  options: [
    { long: '--print', short: '-p', about: 'print the answer and exit' },
    {
      long: '--format',
      value: '<format>',
      about: 'print a JSON envelope (json), or each event as a line of JSON (stream-json); only with -p',
    },
    { long: '--silent', about: 'remove tags such as <think> and surplus blanks; only with -p' },
    { long: '--max-turns', value: '<count>', about: 'fail after this many answers that ask for tools; only with -p' },
    { long: '--image', value: '<file>', repeatable: true, about: 'add a picture to the first message' },
    {
      long: '--resume',
      value: '[session]',
      optional: SESSION_ID,
      about: 'continue the latest session of this repository, or this one (the beginning of its id is enough)',
    },
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
    for (const name of ['--format', '--silent', '--org', '--max-turns'])
      if (isGiven(given, name) && !print) throw new WrongUsage(`${name} works only with -p (--print).`);
    if (resume && fork !== null) throw new WrongUsage('--resume and --fork exclude each other. Keep one of them.');
    return {
      ...parseSessionOptions(given),
      print,
      format: oneOf(given, '--format', ['json', 'stream-json']),
      maxTurns: isGiven(given, '--max-turns') ? wholeNumber(given, '--max-turns', 1, 1, 100_000) : null,
      images: valuesOf(given, '--image'),
      silent: isGiven(given, '--silent'),
      resume,
      resumeId: valueOf(given, '--resume'),
      fork,
      session: valueOf(given, '--session'),
      prompt: given.positionals[0] ?? null,
    };
  },
  run: async (context, options) => (await import('./run.ts')).runSession(context, options),
});
