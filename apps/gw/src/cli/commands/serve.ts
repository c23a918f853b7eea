import { WrongUsage } from '../../process/fault.ts';
import { defineCommand, isGiven, valueOf, wholeNumber } from '../command/command.ts';
import { parseSessionOptions, SESSION_OPTIONS } from '../session/options.ts';

const LOOPBACK = ['127.0.0.1', 'localhost', '::1'];
const DEFAULT_TIMEOUT_S = 300;
const DEFAULT_PORT = 8000;

export const serve = defineCommand({
  usage: {
    name: 'gw serve',
    purpose:
      'Serves one session over HTTP on this machine, for editors and programs. Prints one line of JSON when it is ready: {"url", "session", "token"}. Every request needs Authorization: Bearer <token>.',
    positionals: [{ name: '[prompt]', about: 'a first message' }],
    options: [
      { long: '--port', value: '<port>', about: `port to listen on (default: ${DEFAULT_PORT})` },
      { long: '--host', value: '<host>', about: 'address to listen on; loopback only (default: 127.0.0.1)' },
      {
        long: '--timeout',
        value: '<seconds>',
        about: `end after this many seconds without a message and without work (default: ${DEFAULT_TIMEOUT_S})`,
      },
      { long: '--id', value: '<storageId>', about: 'is ignored: this build has no central storage' },
      { long: '--beta-upload-artifact-tool', about: 'is ignored: this build has no central storage' },
      { long: '--resume', about: 'continue the latest session of this repository' },
      ...SESSION_OPTIONS.filter(({ long }) => long !== '--org'),
    ],
    notes: [
      'Routes: GET /state, POST /message {"message"}, GET /diff, POST /permission {"requestId", "approved"}, POST /pause, POST /exit, GET /events (server-sent events).',
      'The token is also in ~/.gateway/serve/<port>.json, which only you can read. GATEWAY_SERVE_TOKEN sets it.',
      'Exit code: 0 it ended by itself or by POST /exit; 1 the port is taken; 2 wrong usage.',
    ],
    examples: [
      { line: 'gw serve --port 8000', does: 'serves a session; join it with gw remote --url http://127.0.0.1:8000' },
    ],
  },
  parse(given) {
    const host = valueOf(given, '--host') ?? '127.0.0.1';
    if (!LOOPBACK.includes(host))
      throw new WrongUsage(`--host must be a loopback address (${LOOPBACK.join(', ')}), not ${JSON.stringify(host)}.`);
    return {
      ...parseSessionOptions(given),
      host,
      port: wholeNumber(given, '--port', DEFAULT_PORT, 0, 65_535),
      timeoutS: wholeNumber(given, '--timeout', DEFAULT_TIMEOUT_S, 1, 31_536_000),
      storage: isGiven(given, '--id')
        ? '--id'
        : isGiven(given, '--beta-upload-artifact-tool')
          ? '--beta-upload-artifact-tool'
          : null,
      resume: isGiven(given, '--resume'),
      prompt: given.positionals[0] ?? null,
    };
  },
  run: async (context, options) => (await import('./serve-run.ts')).runServe(context, options),
});
