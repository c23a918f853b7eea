import { listDecisions } from '@gateway/database/console';
import * as z from 'zod';
import { exporting } from '../export/format.ts';
import { listOrExport } from '../export/list-or-export.ts';
import { exactly, filterOf, instant, period, searchText, sequence } from '../input/filter.ts';
import { sortedPagingSchema } from '../input/page.ts';
import { route } from '../routing/route.ts';

const COLUMNS = [
  'sequence',
  'at',
  'component',
  'subject',
  'credential',
  'keyId',
  'permission',
  'resource',
  'session',
  'outcome',
  'reason',
  'status',
  'roles',
  'policyRevision',
  'detail',
  'requestId',
  'sourceAddress',
  'id',
  'previous',
  'digest',
];
const FILTERS = [
  'sequence',
  'subject',
  'subjectPart',
  'resourcePart',
  'outcome',
  'permission',
  'reason',
  'resource',
  'session',
  'component',
  'requestId',
  'from',
  'until',
] as const;

export const decisions = route({
  method: 'GET',
  path: '/api/audit/decisions',
  right: { permission: 'journal:lire' },
  exportRight: 'journal:exporter',
  summary:
    'Lists the decision log, the newest first. Filters: sequence, subject, outcome, permission, reason, resource, session, component, request id and period. `subjectPart` matches a part of a known subject, `resourcePart` a part of the name of an endpoint or a project.',
  answers: '200 `{decisions, next}`',
  query: z.strictObject({
    ...sortedPagingSchema('decisions', z.tuple([instant, z.int()]), {
      usual: '-at',
      columns: {
        subject: 'text',
        resource: 'text',
        outcome: 'text',
        reason: 'text',
        session: 'text',
        status: 'float8',
      },
    }),
    ...period,
    ...exporting,
    sequence,
    subject: exactly,
    subjectPart: searchText,
    resourcePart: searchText,
    outcome: z.enum(['granted', 'refused']).optional(),
    permission: exactly,
    reason: exactly,
    resource: exactly,
    session: exactly,
    component: exactly,
    requestId: exactly,
  }),
  handle: (call) =>
    listOrExport(call, {
      plural: 'decisions',
      columns: COLUMNS,
      select: (sql, page) => listDecisions(sql, filterOf(call.query, FILTERS), page),
      keyOf: (entry) => [entry.at, entry.sequence],
    }),
});
