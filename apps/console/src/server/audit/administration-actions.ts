import { listAdministrationActions, listAgentActs } from '@gateway/database/console';
import * as z from 'zod';
import { exactly, filterOf, instant, period, reference, searchText, sequence } from '../input/fields.ts';
import { sortedPagingSchema } from '../input/page.ts';
import { exporting, listOrExport } from '../routing/list-or-export.ts';
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

const AGENT_ACT_COLUMNS = [
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

const AGENT_ACT_FILTERS = ['id', 'session', 'subject', 'subjectPart', 'tool', 'outcome', 'from', 'until'] as const;

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
      columns: AGENT_ACT_COLUMNS,
      select: (sql, page) => listAgentActs(sql, filterOf(call.query, AGENT_ACT_FILTERS), page),
      keyOf: (row) => [row.at, row.id],
    }),
});
