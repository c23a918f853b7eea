import { WrongUsage } from '../../process/fault.ts';
import { defineCommand, EXIT, isGiven, valueOf } from '../command/command.ts';

export const remote = defineCommand({
  usage: {
    name: 'gw remote',
    purpose: 'Opens a session that runs elsewhere: joins an instance of gw serve on this machine.',
    positionals: [{ name: '[prompt]', about: 'a first message' }],
    options: [
      { long: '--url', value: '<url>', about: 'join the instance of gw serve at this address' },
      { long: '--id', value: '<id>', about: 'needs a central service, and none is operated' },
      { long: '--idempotency-key', value: '<key>', about: 'needs a central service, and none is operated' },
      { long: '--start', short: '-s', about: 'needs a central service, and none is operated' },
      { long: '--branch', value: '<branch>', about: 'needs a central service, and none is operated' },
      { long: '--repo', value: '<url>', about: 'needs a central service, and none is operated' },
    ],
    notes: ['The token is found in ~/.gateway/serve/<port>.json, or in GATEWAY_SERVE_TOKEN.'],
    examples: [{ line: 'gw remote --url http://127.0.0.1:8000', does: 'joins the session that gw serve runs there' }],
  },
  parse(given) {
    for (const name of ['--id', '--idempotency-key', '--start', '--branch', '--repo']) {
      if (isGiven(given, name))
        throw new WrongUsage(
          `${name} needs a central service, and none is operated. Run gw serve and join it: gw remote --url <url>.`,
        );
    }
    const url = valueOf(given, '--url');
    if (url === null)
      throw new WrongUsage(
        'gw remote needs the address of an instance of gw serve: gw remote --url http://127.0.0.1:8000.',
      );
    return { url, prompt: given.positionals[0] ?? null };
  },
  run: async (context, options) => (await import('./remote-run.ts')).runRemote(context, options),
});

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
