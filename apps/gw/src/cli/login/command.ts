import { WrongUsage } from '../../process/fault.ts';
import { defineCommand, isGiven, valueOf } from '../command/command.ts';

export const login = defineCommand({
  usage: {
    name: 'gw login',
    purpose:
      'Signs in to a gateway. Your browser opens the identity provider of the gateway and returns to this machine. Tokens are saved in ~/.gateway/credentials.json, which only you can read, and renewed before they expire.',
    options: [
      {
        long: '--gateway',
        value: '<url>',
        about: 'address of the gateway (default: GATEWAY_URL, else that of your configuration)',
      },
      { long: '--device', about: 'show a code to enter on another machine, for machines without a browser' },
      { long: '--key', about: 'save an account key; it is read without echo, or from standard input' },
    ],
    notes: [
      'A credential is saved only if the gateway accepts it. A model without apiKey in the configuration uses the saved credential.',
      'Exit code: 0 signed in; 1 the identity provider or the gateway did not answer; 2 wrong usage; 4 the gateway refused; 130 interrupted.',
    ],
    examples: [
      { line: 'gw login --gateway https://gateway.example', does: 'signs in with the browser' },
      { line: 'gw login --device', does: 'signs in from a machine without a browser' },
      { line: 'gw login --key < key-file', does: 'keeps the account key of a file' },
    ],
  },
  parse(given) {
    const [device, key] = [isGiven(given, '--device'), isGiven(given, '--key')];
    if (device && key) throw new WrongUsage('--device and --key exclude each other. Give one of them.');
    return {
      gateway: valueOf(given, '--gateway'),
      way: key ? ('key' as const) : device ? ('device' as const) : ('code' as const),
    };
  },
  run: async (context, options) => (await import('./run.ts')).runLogin(context, options),
});
