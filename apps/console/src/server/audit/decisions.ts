import { listDecisions, listDetections } from '@gateway/database/console';
import * as z from 'zod';
import { exactly, filterOf, instant, period, reference, searchText, sequence } from '../input/fields.ts';
import { sortedPagingSchema } from '../input/page.ts';
import { exporting, listOrExport } from '../routing/list-or-export.ts';
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

const DETECTION_COLUMNS = [
  'at',
  'subject',
  'resource',
  'place',
  'kind',
  'rule',
  'confidence',
  'response',
  'pointer',
  'length',
  'occurrences',
  'digest',
  'decisionId',
  'id',
];

const DETECTION_FILTERS = ['id', 'kind', 'kindPart', 'place', 'response', 'decision', 'from', 'until'] as const;

export const detections = route({
  method: 'GET',
  path: '/api/audit/detections',
  right: { permission: 'journal:lire' },
  exportRight: 'journal:exporter',
  summary:
    'Lists the secrets detected in requests, answers and command output, the newest first. An entry has kind, position and a keyed digest, never the value. Filters: id, kind, place, response, decision and period. `kindPart` matches a part of a kind.',
  answers: '200 `{detections, next}`',
  query: z.strictObject({
    ...sortedPagingSchema('detections', z.tuple([instant, z.guid()]), {
      usual: '-at',
      columns: { subject: 'text', resource: 'text', kind: 'text', place: 'text', response: 'text' },
    }),
    ...period,
    ...exporting,
    id: reference.optional(),
    kind: exactly,
    kindPart: searchText,
    place: z.enum(['request', 'answer', 'output']).optional(),
    response: z.enum(['block', 'mask', 'alert']).optional(),
    decision: z.guid('must be the id of a decision').optional(),
  }),
  handle: (call) =>
    listOrExport(call, {
      plural: 'detections',
      columns: DETECTION_COLUMNS,
      select: (sql, page) => listDetections(sql, filterOf(call.query, DETECTION_FILTERS), page),
      keyOf: (row) => [row.at, row.id],
    }),
});
