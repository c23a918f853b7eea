import type { Environment } from '@gateway/configuration';
import type { Signer } from '@gateway/ledger';
import type { Launcher } from '../commands/launcher.ts';
import type { Configuration } from '../config/configuration.ts';
import { listen } from '../http/listen.ts';
import type { Report } from '../process/report.ts';
import { openDecisionLog } from '../store/records.ts';
import { startBackground } from './background.ts';
import { openExecution } from './execution.ts';
import type { Shared } from './gateway.ts';

export interface AloneParts {
  readonly configuration: Configuration;
  readonly environment: Environment;
  readonly signer: Signer;
  /** Null where no agent commands are run. */
  readonly launcher: Launcher | null;
  readonly report: Report;
}

/** A gateway of one process, which does everything itself. */
export function alone({ launcher, ...parts }: AloneParts): Shared {
  const { configuration, signer, report } = parts;
  const { database: address, service } = configuration;
  return {
    openDecisions: (watch, onBatch) => openDecisionLog({ address, signer, watch, report, onBatch }),
    openCommands: (detections) => openExecution(configuration, launcher, detections, report),
    startBackground: (own) => startBackground({ ...parts, ...own }),
    listen: (server, scheme) => listen(server, service.port, service.host, scheme),
  };
}
