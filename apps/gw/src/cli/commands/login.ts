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
      {
        long: '--mcp',
        value: '<server>',
        about: 'sign in to an MCP server instead: its name in the configuration, or its address',
      },
    ],
    notes: [
      'A credential is saved only if the gateway accepts it. A model without apiKey in the configuration uses the saved credential.',
      'Exit code: 0 signed in; 1 the identity provider or the gateway did not answer; 2 wrong usage; 4 the gateway refused; 130 interrupted.',
    ],
    examples: [
      { line: 'gw login --gateway https://gateway.example', does: 'signs in with the browser' },
      { line: 'gw login --device', does: 'signs in from a machine without a browser' },
      { line: 'gw login --mcp docs', does: 'signs in to the MCP server docs of the configuration' },
      { line: 'gw login --key < key-file', does: 'keeps the account key of a file' },
    ],
  },
  parse(given) {
    const [device, key] = [isGiven(given, '--device'), isGiven(given, '--key')];
    const [mcp, gateway] = [valueOf(given, '--mcp'), valueOf(given, '--gateway')];
    if (mcp !== null && (device || key || gateway !== null))
      throw new WrongUsage('--mcp signs in to an MCP server. Remove --gateway, --device and --key.');
    if (device && key) throw new WrongUsage('--device and --key exclude each other. Give one of them.');
    return {
      gateway,
      mcp,
      way: key ? ('key' as const) : device ? ('device' as const) : ('code' as const),
    };
  },
  run: async (context, { mcp, ...options }) =>
    mcp === null
      ? (await import('./login-run.ts')).runLogin(context, options)
      : (await import('./login-mcp.ts')).runServerLogin(context, mcp),
});

export const logout = defineCommand({
  usage: {
    name: 'gw logout',
    purpose:
      'Signs out of a gateway: deletes the saved credential, and revokes its tokens if the identity provider supports it.',
    options: [
      {
        long: '--gateway',
        value: '<url>',
        about: 'address of the gateway (default: GATEWAY_URL, else that of your configuration)',
      },
      { long: '--mcp', value: '<server>', about: 'sign out of an MCP server instead: its name, or its address' },
    ],
    notes: [
      'An account key stays valid until an administrator revokes it.',
      'Exit code: 0 signed out, also where nobody was signed in; 2 wrong usage.',
    ],
    examples: [{ line: 'gw logout --gateway https://gateway.example', does: 'signs out of one gateway' }],
  },
  parse: (given) => ({ gateway: valueOf(given, '--gateway'), mcp: valueOf(given, '--mcp') }),
  run: async (context, { mcp, ...options }) =>
    mcp === null
      ? (await import('./logout-run.ts')).runLogout(context, options)
      : (await import('./login-mcp.ts')).runServerLogout(context, mcp),
});
