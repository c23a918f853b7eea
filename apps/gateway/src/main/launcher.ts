import type { Environment } from '@gateway/configuration';
import type { Launcher } from '../commands/launcher.ts';
import { processLauncher } from '../commands/plain/launcher.ts';
import { MissingPart } from '../commands/processes/missing-part.ts';
import { bubblewrapLauncher } from '../commands/sandbox/bubblewrap.ts';
import type { ExecutionConfiguration } from '../config/execution.ts';
import { StartupFault } from '../process/start-fault.ts';

/**
 * The launcher that was named, tried out on this host.
 * @throws StartupFault naming what the host lacks: never a weaker sandbox in silence (refusals-27)
 */
export async function openLauncher(
  configuration: ExecutionConfiguration | null,
  environment: Environment,
): Promise<Launcher | null> {
  if (configuration === null) return null;
  try {
    if (configuration.launcher === 'process') return await processLauncher(configuration.workdir);
    return await bubblewrapLauncher({ ...configuration, path: environment['PATH'] ?? '' });
  } catch (error) {
    if (!(error instanceof MissingPart)) throw error;
    throw new StartupFault(`GATEWAY_AGENT_LAUNCHER: ${configuration.launcher} ${error.message}.`);
  }
}
