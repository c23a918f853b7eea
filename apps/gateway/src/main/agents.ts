import { createAgentCommands, createWorkstations } from '@gateway/database/gateway';
import { Execution } from '../commands/execution.ts';
import { createExecutionHandler } from '../commands/handler.ts';
import type { Launcher } from '../commands/launcher.ts';
import type { ExecutionPorts } from '../commands/ports.ts';
import type { Configuration } from '../config/configuration.ts';
import type { Handler } from '../http/routes.ts';
import type { Report } from '../process/report.ts';
import type { ProfileServices } from '../profile/profile.ts';
import type { RelayPorts } from '../relay/ports.ts';
import { DATABASE_BUDGET } from '../store/budget.ts';
import { createWorkstationHandler } from '../workstation/handler.ts';

/** Milliseconds the database may take of one look at what was revoked. */
const STANDINGS_BUDGET = 2000;

export interface AgentParts
  extends Pick<ExecutionPorts, 'facts' | 'decisions' | 'directory' | 'authorizer' | 'inspectors' | 'bodies'> {
  readonly services: Pick<ProfileServices, 'commands' | 'workstation'>;
  readonly configuration: Configuration;
  readonly launcher: Launcher | null;
  readonly detections: RelayPorts['detections'];
  readonly report: Report;
}

/** What is served to agents and workstations beside the relay. */
export interface Agents {
  /** By first segment. */
  readonly mounted: ReadonlyMap<string, Handler>;
  /** Ends the commands that still run, and closes the launcher. */
  close(): Promise<void>;
}

/** Wires agent execution and the workstation control plane. */
export async function openAgents(parts: AgentParts): Promise<Agents> {
  const { services, configuration, launcher, detections, report } = parts;
  const { database: address, service } = configuration;
  const { directory } = configuration.directory;
  const record = createAgentCommands({ address, budgetMs: DATABASE_BUDGET, standingsBudgetMs: STANDINGS_BUDGET });
  const workstations = createWorkstations({ address, budgetMs: DATABASE_BUDGET });
  const execution =
    launcher === null || configuration.execution === null
      ? null
      : await Execution.open({ ...configuration.execution, launcher, record, detections, report });
  const commands = createExecutionHandler({
    ...services.commands,
    facts: parts.facts,
    decisions: parts.decisions,
    directory: parts.directory,
    authorizer: parts.authorizer,
    inspectors: parts.inspectors,
    execution,
    bodies: parts.bodies,
    trustedProxies: service.trustedProxies,
    clock: Date.now,
    report,
  });
  const controlPlane = createWorkstationHandler({
    organization: service.organization,
    workstations,
    license: services.workstation,
    directory: directory && { issuer: directory.issuer, clientId: directory.clientId },
    trustedProxies: service.trustedProxies,
    bodies: parts.bodies,
    report,
  });
  return {
    mounted: new Map([
      ['_agent-execution', commands],
      ['ide', controlPlane],
    ]),
    async close() {
      await execution?.close();
      await launcher?.close();
      record.close();
      workstations.close();
    },
  };
}
