import { createWorkstations } from '@gateway/database/gateway';
import { createExecutionHandler } from '../commands/handler.ts';
import type { ExecutionPorts } from '../commands/ports.ts';
import type { CommandRunner } from '../commands/runner.ts';
import type { Configuration } from '../config/configuration.ts';
import type { Handler } from '../http/routes.ts';
import type { Report } from '../process/report.ts';
import type { ProfileServices } from '../profile/profile.ts';
import { DATABASE_BUDGET } from '../store/budget.ts';
import { createWorkstationHandler } from '../workstation/handler.ts';

export interface AgentParts
  extends Pick<ExecutionPorts, 'facts' | 'decisions' | 'directory' | 'authorizer' | 'inspectors' | 'bodies'> {
  readonly services: Pick<ProfileServices, 'commands' | 'workstation'>;
  readonly configuration: Configuration;
  /** Null where no agent commands are run. */
  readonly execution: CommandRunner | null;
  readonly report: Report;
}

/** The routes for agents and workstations, besides the relay. */
export interface Agents {
  /** By first segment. */
  readonly mounted: ReadonlyMap<string, Handler>;
  /** Ends the commands that still run for callers of this process. */
  close(): Promise<void>;
}

/** Wires agent execution and the workstation control plane. */
export function openAgents(parts: AgentParts): Agents {
  const { services, configuration, execution, report } = parts;
  const { database: address, service } = configuration;
  const { directory } = configuration.directory;
  const workstations = createWorkstations({ address, budgetMs: DATABASE_BUDGET });
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
      workstations.close();
    },
  };
}
