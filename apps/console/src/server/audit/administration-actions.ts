import { listAdministrationActions } from '@gateway/database/console';
import * as z from 'zod';
import { exporting } from '../export/format.ts';
import { listOrExport } from '../export/list-or-export.ts';
import { exactly, filterOf, instant, period, searchText, sequence } from '../input/filter.ts';
import { sortedPagingSchema } from '../input/page.ts';
import { route } from '../routing/route.ts';

/**
 * Deeper than any value that the product records, and far below what would exhaust the stack of a program that serializes it.
 */
const DEEPEST = 200;

/** How deep a JSON text is nested. */
function depthOf(json: string): number {
  let depth = 0;
  let deepest = 0;
  for (const [bracket] of json.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/gs)) {
    if (bracket === '[' || bracket === '{') depth += 1;
    else if (bracket === ']' || bracket === '}') depth -= 1;
    if (depth > deepest) deepest = depth;
  }
  return deepest;
}

/**
 * Parses the JSON text of a recorded value. A log that was modified may contain any text and must stay readable: invalid JSON
 * and JSON nested too deeply are shown as text. The verification names the entry.
 */
export function parseRecordedValue(text: string): unknown {
  try {
    return depthOf(text) > DEEPEST ? text : JSON.parse(text);
  } catch {
    return text;
  }
}

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
