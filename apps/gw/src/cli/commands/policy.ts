import { defineCommand, isGiven, valueOf } from '../command/command.ts';

export const policy = defineCommand({
  usage: {
    name: 'gw policy',
    purpose:
      'Shows the policy of your organization that is in force: its revision, its validity, and for each tool what it decides and by which rule. It is read from the gateway with the deployment license (GATEWAY_LICENSE or GATEWAY_LICENSE_FILE). Offline, the saved copy applies while it is valid.',
    options: [
      { long: '--config', value: '<path>', about: 'check this configuration instead of those found' },
      { long: '--json', about: 'print the policy as JSON' },
    ],
    notes: [
      'Exit code: 0 shown, also where no organization imposes anything; 1 the policy is not known; 2 wrong usage or configuration; 4 the gateway refused the license.',
    ],
    examples: [{ line: 'gw policy', does: 'shows what your organization allows' }],
  },
  parse: (given) => ({ config: valueOf(given, '--config'), json: isGiven(given, '--json') }),
  run: async (context, options) => (await import('./policy-run.ts')).runPolicy(context, options),
});
