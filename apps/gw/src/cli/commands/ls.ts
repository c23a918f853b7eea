import { defineCommand, isGiven } from '../command/command.ts';

export const ls = defineCommand({
  usage: {
    name: 'gw ls',
    purpose: 'Lists the sessions on this machine, the newest first. In a terminal you can pick one to continue.',
    options: [{ long: '--json', about: 'print the list as JSON' }],
    notes: [
      'Sessions are files in ~/.gateway/sessions. A file that is not a session is moved aside, and a message names it.',
    ],
    examples: [
      { line: 'gw ls', does: 'lists the sessions and asks which one to open' },
      { line: 'gw ls --json', does: 'prints {"sessions": [...]} for programs' },
    ],
  },
  parse: (given) => ({ json: isGiven(given, '--json') }),
  run: async (context, options) => (await import('./ls-run.ts')).runLs(context, options),
});
