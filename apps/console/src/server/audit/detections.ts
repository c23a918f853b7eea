import { listDetections } from '@gateway/database/console';
import * as z from 'zod';
import { exporting } from '../export/format.ts';
import { listOrExport } from '../export/list-or-export.ts';
import { exactly, filterOf, instant, period, searchText } from '../input/filter.ts';
import { sortedPagingSchema } from '../input/page.ts';
import { reference } from '../input/reference.ts';
import { route } from '../routing/route.ts';

const COLUMNS = [
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

const FILTERS = ['id', 'kind', 'kindPart', 'place', 'response', 'decision', 'from', 'until'] as const;

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
      columns: COLUMNS,
      select: (sql, page) => listDetections(sql, filterOf(call.query, FILTERS), page),
      keyOf: (row) => [row.at, row.id],
    }),
});
