import { isSessionName, LONGEST_SESSION } from '@gateway/contract';
import { reason } from '@gateway/contract/fields';
import { listAdministrationActions, listDecisions, listDetections } from '@gateway/database/audit-log/lists';
import { revokeSession } from '@gateway/domain/session/acts';
import {
  listAgentActs,
  listAgentCommands,
  listAgentSessions,
  readSessionRevocation,
} from '@gateway/domain/session/console';
import * as z from 'zod';
import { administer } from '../http/administer.ts';
import { createdResponse, faulty, okResponse } from '../http/answers.ts';
import { exactly, filterOf, flag, instant, period, reference, searchText, sequence } from '../http/fields.ts';
import { exporting, listOrExport } from '../http/list-or-export.ts';
import { pageAsked, pageOf, sortedPagingSchema } from '../http/page.ts';
import { type Right, type Route, route } from '../http/route.ts';

const DECISION_COLUMNS = [
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
const DECISION_FILTERS = [
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
      columns: DECISION_COLUMNS,
      select: (sql, page) => listDecisions(sql, filterOf(call.query, DECISION_FILTERS), page),
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

const right: Right = { permission: 'sessions:revoquer' };

const SESSION_FILTERS = ['session', 'subject', 'sessionPart', 'subjectPart', 'revoked'] as const;

const list = route({
  method: 'GET',
  path: '/api/agent-sessions',
  right,
  summary:
    'Lists the agent sessions that acts or a revocation named, the one with the latest act first, each with its standing.',
  answers: '200 `{agentSessions, next}`',
  query: z.strictObject({
    ...sortedPagingSchema('agentSessions', z.tuple([instant, z.string()]), {
      usual: '-lastAt',
      columns: { session: 'text', subject: 'text', acts: 'float8' },
    }),
    session: exactly,
    subject: exactly,
    sessionPart: searchText,
    subjectPart: searchText,
    revoked: flag.optional(),
  }),
  async handle({ query, services }) {
    const page = pageAsked(query);
    const rows = await listAgentSessions(services.database, filterOf(query, SESSION_FILTERS), page);
    return okResponse(pageOf('agentSessions', rows, page, (row) => [row.lastAt, row.session]));
  },
});

const revoke = route({
  method: 'POST',
  path: '/api/audit/agent-sessions/:session/revocation',
  right,
  summary:
    'Revokes an agent session and its sub-agents, including later ones. The session may be unknown. Revoking it again changes nothing.',
  answers: '201 `{session, reason, author, revokedAt}`; 200 if it was revoked before',
  body: z.strictObject({ reason }),
  async handle(call) {
    const { session } = call.parameters;
    if (!isSessionName(session)) {
      return faulty({ session: `must have 1 to ${LONGEST_SESSION} characters, well-formed Unicode without NUL` });
    }
    const outcome = await administer(call, (act) => revokeSession(act, session, call.body.reason));
    if ('violated' in outcome)
      throw new Error(`revoking a session conflicted with another change (${outcome.violated.constraint})`);
    if (outcome.done !== undefined) return createdResponse(outcome.done);
    return okResponse(await readSessionRevocation(call.services.database, session));
  },
});

export const agentSessionRoutes: readonly Route[] = [list, revoke];

export const agentExecution = route({
  method: 'GET',
  path: '/api/agent-execution',
  right: { permission: 'console:administrer-l-instance' },
  summary:
    'Lists the commands that the gateway ran for agents, the newest first: subject, session and outcome, never arguments or output. Commands run only if the gateway has `GATEWAY_AGENT_LAUNCHER`.',
  answers: '200 `{commands, next, launcherVariable}`',
  query: z.strictObject({
    ...sortedPagingSchema('commands', z.tuple([instant, z.guid()]), {
      usual: '-startedAt',
      columns: { subject: 'text', session: 'text', interpreter: 'text', durationMs: 'float8' },
    }),
    subject: exactly,
    session: exactly,
    id: reference.optional(),
    subjectPart: searchText,
    sessionPart: searchText,
    running: flag.optional(),
  }),
  async handle({ query, services }) {
    const filter = filterOf(query, ['id', 'subject', 'session', 'subjectPart', 'sessionPart', 'running']);
    const page = pageAsked(query);
    const rows = await listAgentCommands(services.database, filter, page);
    return okResponse({
      ...pageOf('commands', rows, page, (row) => [row.startedAt, row.id]),
      launcherVariable: 'GATEWAY_AGENT_LAUNCHER',
    });
  },
});

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

const ACTION_COLUMNS = [
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
      columns: ACTION_COLUMNS,
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
