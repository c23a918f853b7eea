import { WrongUsage } from '../../process/fault.ts';
import { defineCommand, isGiven } from '../command/command.ts';

export const trust = defineCommand({
  usage: {
    name: 'gw trust',
    purpose:
      'Shows what the files of this project add that sends data or runs programs, and what you agreed to. In a terminal it asks about the rest.',
    options: [
      { long: '--yes', about: 'agree to everything that is shown, without a question' },
      { long: '--revoke', about: 'forget every answer for this project' },
    ],
    notes: [
      'Answers are kept in ~/.gateway/trust.json, for this project and exactly this content: what changes is asked about again. What nobody agreed to has no effect.',
    ],
    examples: [
      { line: 'gw trust', does: 'shows what this project adds, and asks' },
      { line: 'gw trust --yes', does: 'agrees, for scripts that know the project' },
    ],
  },
  parse(given) {
    const [yes, revoke] = [isGiven(given, '--yes'), isGiven(given, '--revoke')];
    if (yes && revoke) throw new WrongUsage('--yes and --revoke exclude each other. Keep one of them.');
    return { yes, revoke };
  },
  run: async (context, options) => (await import('./trust-run.ts')).runTrust(context, options),
});
