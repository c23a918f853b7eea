import { WrongUsage } from '../../process/fault.ts';
import { defineCommand, isGiven, valueOf } from '../command/command.ts';
import { isVersion } from './options.ts';

export const verify = defineCommand({
  usage: {
    name: 'gw verify',
    purpose:
      'Verifies a release bundle without the network: its signature, every file in it, and that it is not older than the version in use.',
    positionals: [{ name: '<bundle>', about: 'folder of the bundle' }],
    options: [
      {
        long: '--key',
        value: '<path>',
        about: 'public key of the publisher (Ed25519, PEM); take it from another source than the bundle',
      },
      { long: '--current', value: '<version>', about: 'version in use; an older bundle is a rollback' },
      { long: '--json', about: 'print the result as JSON' },
    ],
    notes: ['Exit code: 0 the bundle matches its signature; 1 it does not, and the files are named; 2 wrong usage.'],
    examples: [
      {
        line: 'gw verify ./gateway-1.2.0 --key publisher.pem --current 1.1.0',
        does: 'verifies a bundle before it is installed',
      },
    ],
  },
  parse(given) {
    const [bundle = ''] = given.positionals;
    const current = valueOf(given, '--current');
    if (current !== null && !isVersion(current)) {
      throw new WrongUsage(`--current must be a version such as 1.2.0, not ${JSON.stringify(current)}.`);
    }
    return { bundle, key: valueOf(given, '--key'), current, json: isGiven(given, '--json') };
  },
  run: async (context, options) => (await import('./verify-run.ts')).runVerify(context, options),
});
