import { createAgentCommands } from '@gateway/database/gateway';
import { Execution, type ExecutionOptions } from '../commands/execution.ts';
import type { Launcher } from '../commands/launcher.ts';
import type { Configuration } from '../config/configuration.ts';
import type { Report } from '../process/report.ts';
import { DATABASE_BUDGET } from '../store/budget.ts';

/** Milliseconds the database may take of one look at what was revoked. */
const STANDINGS_BUDGET = 2000;

/** Opens the execution of agent commands in this process; null where it is disabled. Closing it also closes the launcher. */
export async function openExecution(
  { database: address, execution: configured }: Configuration,
  launcher: Launcher | null,
  detections: ExecutionOptions['detections'],
  report: Report,
): Promise<Execution | null> {
  if (launcher === null || configured === null) return null;
  const record = createAgentCommands({ address, budgetMs: DATABASE_BUDGET, standingsBudgetMs: STANDINGS_BUDGET });
  const onClosed = async (): Promise<void> => {
    await launcher.close();
    record.close();
  };
  return Execution.open({ ...configured, launcher, record, detections, report, onClosed });
}
