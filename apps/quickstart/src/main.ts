import { join } from 'node:path';
import { operatorLine } from '@gateway/secrets';
import { type Dependencies, ROOT } from './component.ts';
import { readEnvironment, StartFault } from './environment.ts';
import { type Options, parseOptions } from './options.ts';
import { relayOneCall, sentences } from './ready.ts';
import { startEverything } from './start-all.ts';
import { openState } from './state.ts';
import { startWatchdog } from './watchdog/watchdog.ts';

const environment = readEnvironment();
const print = (line: string): void => {
  process.stderr.write(`${operatorLine(line)}\n`);
};

// The reader of the output may exit before all components have ended.
for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);

/** Aborted by Ctrl-C, by a termination signal, and when the parent process has exited. */
function endSignal(): AbortSignal {
  const end = new AbortController();
  const abort = (): void => end.abort();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, abort);
  process.once('disconnect', abort);
  return end.signal;
}

async function serve(dependencies: Dependencies, ending: AsyncDisposableStack): Promise<void> {
  const { options, signal } = dependencies;
  const { ready, documentation, broken } = await startEverything(dependencies, ending);
  if (options.json) {
    process.stdout.write(`${JSON.stringify(ready)}\n`);
  } else {
    const call =
      ready.endpoint === null || ready.keys.demo === undefined
        ? null
        : await relayOneCall(ready.gateway, ready.endpoint, ready.keys.demo, ready.database.owner);
    process.stdout.write(sentences(ready, call, documentation, options.engine !== null));
  }
  const aborted = new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve());
  });
  await Promise.race([aborted, broken]);
  dependencies.print('Stopping …');
}

async function run(options: Options): Promise<number> {
  const signal = endSignal();
  const watchdog = startWatchdog();
  const ending = new AsyncDisposableStack();
  ending.defer(() => watchdog.dismiss());
  try {
    const folder = options.data ?? (options.ephemeral ? null : join(ROOT, '.gateway'));
    const state = openState(folder, options.gatewayEnvironment['ADMIN_API_KEY']);
    ending.defer(() => state.release());
    if (state.temporary) watchdog.send({ what: 'path', path: state.path });
    await serve({ options, environment, state, watchdog, signal, print }, ending);
    await ending.disposeAsync();
    print(state.temporary ? 'Stopped.' : `Stopped. The data stays in ${state.path}.`);
    return 0;
  } catch (error) {
    if (signal.aborted) return 130; // ended before everything was ready
    if (!(error instanceof StartFault)) throw error;
    print(error.message);
    return 1;
  } finally {
    await ending.disposeAsync();
  }
}

const parsed = parseOptions(process.argv.slice(2), environment.callerFolder);
if ('options' in parsed) {
  process.exitCode = await run(parsed.options);
  if (process.connected) process.disconnect();
} else {
  (parsed.exitCode === 0 ? process.stdout : process.stderr).write(parsed.text);
  process.exitCode = parsed.exitCode;
}
