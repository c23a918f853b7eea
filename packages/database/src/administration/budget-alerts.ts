// Apart from the other acts, which the on-premise programs have too: those contain nothing about spending.
import { insertDueBudgetAlerts } from '../queries/console/hosted/spending-caps.ts';
import type { Act } from './act.ts';

/** Adds the budget alerts that are due, at most `limit` (console-25). @returns how many */
export async function addDueBudgetAlerts({ sql, record }: Act, limit: number): Promise<number> {
  const due = await insertDueBudgetAlerts(sql, limit);
  for (const { subject, month, threshold, plan, cap, spent } of due) {
    const after = { month, threshold, plan, cap, spent };
    record({ action: 'budget.alert', target: `subject:${subject}`, before: null, after });
  }
  return due.length;
}
