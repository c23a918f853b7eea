import { fileURLToPath } from 'node:url';
import type { Engine } from './declare.ts';
import { type Dependencies, start } from './dependencies.ts';
import { onPort, unlessTaken } from './ports.ts';

const PROGRAM = fileURLToPath(new URL('engine/main.ts', import.meta.url));
const PORT = 6003;

/** The engine behind the first endpoint: the one asked for, or the demo engine, which is started. */
export async function openEngine(dependencies: Dependencies, ending: AsyncDisposableStack): Promise<Engine> {
  const { options, environment, state } = dependencies;
  if (options.engine) {
    const { baseUrl, model, keyEnv } = options.engine;
    return { name: new URL(baseUrl).host, baseUrl, model, keyEnv };
  }
  // The port stays the same because the provider's address is declared once.
  const asked = await unlessTaken(state.kept.enginePort ?? (options.ephemeral ? 0 : PORT));
  const component = await onPort(asked, async (port) => {
    const started = await start(dependencies, {
      name: 'demo engine',
      args: [PROGRAM, String(port)],
      environment: environment.machine,
      ready: /^demo engine listens on (https?:\/\/\S+)/,
    });
    state.keep({ enginePort: port });
    return started;
  });
  ending.defer(() => component.stop(1000));
  return { name: 'Demo engine', baseUrl: component.address, model: 'demo-model', keyEnv: null };
}
