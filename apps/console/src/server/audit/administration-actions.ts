import { listAdministrationActions } from '@gateway/database/console';
import * as z from 'zod';
import { exporting } from '../export/format.ts';
import { listOrExport } from '../export/list-or-export.ts';
import { exactly, filterOf, instant, period, searchText, sequence } from '../input/filter.ts';
import { sortedPagingSchema } from '../input/page.ts';
import { route } from '../routing/route.ts';
import { parseRecordedValue } from './recorded-value.ts';

const COLUMNS = [
  'sequence',
  'at',
  'component',
  'author',
  'action',
  'target',
  'oldValue',
  'newValue',
  'id',
  'previous',
  'digest',
];

const FILTERS = [
  'sequence',
  'author',
  'action',
  'target',
  'component',
  'authorPart',
  'actionPart',
  'targetPart',
  'from',
  'until',
] as const;

export const administrationActions = route({
  method: 'GET',
  path: '/api/administration-actions',
  right: { permission: 'journal:lire' },
  exportRight: 'journal:exporter',
  summary:
    'Lists all administration actions with old value, new value and author, the newest first. Filters: sequence, author, action, target, component and period. `authorPart`, `actionPart` and `targetPart` match a part.',
  answers: '200 `{administrationActions, next}`',
  query: z.strictObject({
    ...sortedPagingSchema('administrationActions', z.tuple([instant, z.int()]), {
      usual: '-at',
      columns: { author: 'text', action: 'text', target: 'text', component: 'text' },
    }),
    ...period,
    ...exporting,
    sequence,
    author: exactly,
    action: exactly,
    target: exactly,
    component: exactly,
    authorPart: searchText,
    actionPart: searchText,
    targetPart: searchText,
  }),
  handle: (call) =>
    listOrExport(call, {
      plural: 'administrationActions',
      columns: COLUMNS,
      select: (sql, page) => listAdministrationActions(sql, filterOf(call.query, FILTERS), page),
      shape: (entry) => ({
        ...entry,
        oldValue: entry.oldValue && parseRecordedValue(entry.oldValue),
        newValue: entry.newValue && parseRecordedValue(entry.newValue),
      }),
      keyOf: (entry) => [entry.at, entry.sequence],
    }),
});
