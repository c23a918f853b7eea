import { type DecisionEntry, listDecisions } from '@gateway/database/console';
import type { Context } from '../context/context.ts';
import { checkLimit, printList } from '../context/list.ts';
import { checkPeriod, checkWord } from '../operator/check.ts';
import { withDatabase } from '../operator/owner-database.ts';

export interface DecisionsOptions {
  readonly subject?: string;
  readonly outcome?: string;
  readonly reason?: string;
  readonly from?: string;
  readonly until?: string;
  readonly limit: string;
}

/** `decisions`: searches the decision log, the newest entries first. */
export async function runDecisions(context: Context, options: DecisionsOptions): Promise<void> {
  const { subject = null, outcome, reason = null } = options;
  const filter = {
    sequence: null,
    subject,
    subjectPart: null,
    resourcePart: null,
    outcome: outcome === undefined ? null : checkWord(outcome, ['granted', 'refused'], '--outcome'),
    permission: null,
    reason,
    resource: null,
    session: null,
    component: null,
    requestId: null,
    ...checkPeriod(options),
  };
  const limit = checkLimit(options.limit) ?? null;
  const found = await withDatabase(context.environment, (sql) => listDecisions(sql, filter, { limit, after: null }));
  const listing = {
    header: ['AT', 'OUTCOME', 'STATUS', 'REASON', 'SUBJECT', 'RESOURCE'],
    values: limit === null ? found : found.slice(0, limit),
    row: ({ at, outcome: came, status, reason: why, subject: who, resource }: DecisionEntry) => [
      at.toISOString(),
      came,
      String(status),
      why,
      who ?? '',
      resource,
    ],
    none: 'No decision was found.',
  };
  await printList(context, listing, undefined);
  if (!context.json && limit !== null && found.length > limit)
    context.terminal.report(`The newest ${limit} are shown. Raise --limit to see more.\n`);
}
