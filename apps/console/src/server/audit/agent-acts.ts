import { listAgentActs } from '@gateway/database/console';
import * as z from 'zod';
import { exporting } from '../export/format.ts';
import { listOrExport } from '../export/list-or-export.ts';
import { exactly, filterOf, instant, period, searchText } from '../input/filter.ts';
import { sortedPagingSchema } from '../input/page.ts';
import { reference } from '../input/reference.ts';
import { route } from '../routing/route.ts';

const COLUMNS = [
  'at',
  'session',
  'parentSession',
  'subject',
  'tool',
  'target.kind',
  'target.value',
  'authorizedBy',
  'outcome',
  'reason',
  'receivedAt',
  'id',
];

const FILTERS = ['id', 'session', 'subject', 'subjectPart', 'tool', 'outcome', 'from', 'until'] as const;

export const agentActs = route({
  method: 'GET',
  path: '/api/audit/agent-acts',
  right: { permission: 'journal:lire' },
  exportRight: 'journal:exporter',
  summary:
    'Lists the acts of agents that workstations reported, the newest first: target, authorization and outcome. Filters: id, session, subject, tool, outcome and period. `subjectPart` matches a part of a name.',
  answers: '200 `{agentActs, next}`',
  query: z.strictObject({
    ...sortedPagingSchema('agentActs', z.tuple([instant, z.guid()]), {
      usual: '-at',
      columns: {
        subject: 'text',
        session: 'text',
        tool: 'text',
        target: 'text',
        authorizedBy: 'text',
        outcome: 'text',
      },
    }),
    ...period,
    ...exporting,
    id: reference.optional(),
    session: exactly,
    subject: exactly,
    subjectPart: searchText,
    tool: exactly,
    outcome: z.enum(['succeeded', 'failed', 'refused', 'interrupted']).optional(),
  }),
  handle: (call) =>
    listOrExport(call, {
      plural: 'agentActs',
      columns: COLUMNS,
      select: (sql, page) => listAgentActs(sql, filterOf(call.query, FILTERS), page),
      keyOf: (row) => [row.at, row.id],
    }),
});
