// Apart from the other acts, which the on-premise programs have too: those contain nothing about spending.

import type { Act, Changes, Created } from '../audit-log/act.ts';
import { type BudgetAlert, insertDueBudgetAlerts } from '../queries/console/hosted/spending-caps.ts';

type BudgetAlertChange = Changes<{ readonly 'budget.alert': Created<Omit<BudgetAlert, 'id' | 'at' | 'subject'>> }>;

/** Adds the budget alerts that are due, at most `limit` (console-25). @returns how many */
export async function addDueBudgetAlerts({ sql, record }: Act<BudgetAlertChange>, limit: number): Promise<number> {
  const due = await insertDueBudgetAlerts(sql, limit);
  for (const { subject, month, threshold, plan, cap, spent } of due) {
    const after = { month, threshold, plan, cap, spent };
    record({ action: 'budget.alert', target: `subject:${subject}`, before: null, after });
  }
  return due.length;
}
