import { defineCommand, valueOf } from '../command/command.ts';
import { EXIT } from '../command/exit.ts';

export const remoteTest = defineCommand({
  usage: {
    name: 'gw remote-test',
    purpose: 'Tests whether an instance of gw serve answers.',
    options: [{ long: '--url', value: '<url>', about: 'address of the instance (default: http://localhost:8000)' }],
    notes: ['Exit code: 0 it answered; 1 it did not.'],
    examples: [{ line: 'gw remote-test --url http://127.0.0.1:8000', does: 'asks the instance on port 8000' }],
  },
  parse: (given) => ({ url: valueOf(given, '--url') ?? 'http://localhost:8000' }),
  async run(context, { url }) {
    const client = await (await import('../../serve/client.ts')).connectTo(context.environment, url);
    const state = await client.ask('GET', '/state');
    const { id } = (state['session'] ?? {}) as { readonly id?: unknown };
    await context.terminal.write(`${client.url} serves the session ${String(id)}.\n`);
    return EXIT.done;
  },
});
