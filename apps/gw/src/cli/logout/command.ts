import { defineCommand, valueOf } from '../command/command.ts';

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
      ? (await import('./run.ts')).runLogout(context, options)
      : (await import('../login/mcp.ts')).runServerLogout(context, mcp),
});
