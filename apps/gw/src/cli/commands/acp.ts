import { defineCommand, isGiven } from '../command/command.ts';
import { parseSessionOptions, SESSION_OPTIONS } from '../session/options.ts';
import type { AcpOptions } from './acp-run.ts';

export const acp = defineCommand<AcpOptions>({
  usage: {
    name: 'gw acp',
    purpose:
      'Runs the agent inside an editor, over the Agent Client Protocol. The editor starts it; messages are on standard input and output.',
    options: [
      { long: '--login', about: 'sign in to the gateway in this terminal and exit; editors call it' },
      ...SESSION_OPTIONS.filter(({ long }) => long !== '--org'),
    ],
    notes: [
      'Permissions, policy and record are those of a session in the terminal. The editor opens one or more sessions, each in its own folder.',
      'Exit code: 0 the editor closed the connection; 2 wrong usage; 130 interrupted.',
    ],
    examples: [
      { line: 'gw acp', does: 'the command for an editor; see the manual for the settings of each editor' },
      { line: 'gw acp --readonly', does: 'opens every session in plan mode' },
    ],
  },
  parse: (given) => ({ ...parseSessionOptions(given), login: isGiven(given, '--login') }),
  run: async (context, options) => (await import('./acp-run.ts')).runAcp(context, options),
});
