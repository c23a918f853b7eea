import { createAgentCommands, createWorkstations } from '@gateway/database/gateway';
import type { Configuration } from './configuration/configuration.ts';
import { Execution } from './execution/execution.ts';
import { createExecutionHandler } from './execution/handler.ts';
import type { Launcher } from './execution/launcher.ts';
import type { ExecutionPorts } from './execution/ports.ts';
import type { Profile } from './profile/profile.ts';
import type { Report } from './relay/ports.ts';
import type { Handler } from './routes.ts';
import { createWorkstationHandler } from './workstation/handler.ts';

/** Milliseconds the database may take of one answer, and of one look at what was revoked. */
const BUDGET = 5000;
const STANDINGS_BUDGET = 2000;

export interface AgentParts<Own> extends Pick<ExecutionPorts, 'facts' | 'decisions'> {
  readonly profile: Profile<Own>;
  readonly configuration: Configuration<Own>;
  readonly launcher: Launcher | null;
  readonly report: Report;
}

/** What is served to agents and workstations beside the relay. */
export interface Agents {
  /** By first segment. */
  readonly mounted: ReadonlyMap<string, Handler>;
  /** Ends the commands that still run. */
  close(): Promise<void>;
}

/** Wires agent execution and the workstation control plane. */
export async function openAgents<Own>(parts: AgentParts<Own>): Promise<Agents> {
  const { profile, configuration, launcher, facts, decisions, report } = parts;
  const { database: address, service } = configuration;
  const record = createAgentCommands({ address, budgetMs: BUDGET, standingsBudgetMs: STANDINGS_BUDGET });
  const workstations = createWorkstations({ address, budgetMs: BUDGET });
  const execution =
    launcher === null || configuration.execution === null
      ? null
      : await Execution.open({ ...configuration.execution, launcher, record, report });
  const commands = createExecutionHandler({
    facts,
    decisions,
    directory: null,
    license: profile.commandLicense(configuration.profile),
    policy: null,
    execution,
    trustedProxies: service.trustedProxies,
    clock: Date.now,
    report,
  });
  const controlPlane = createWorkstationHandler({
    organization: service.organization,
    workstations,
    license: profile.workstationLicense(configuration.profile),
    directory: null,
    report,
  });
  return {
    mounted: new Map([
      ['_agent-execution', commands],
      ['ide', controlPlane],
    ]),
    async close() {
      await execution?.close();
      record.close();
      workstations.close();
    },
  };
}
