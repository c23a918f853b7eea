import { reason } from '@gateway/access/declarations';
import { isSessionName, LONGEST_SESSION } from '@gateway/contract';
import { revokeSession } from '@gateway/database/administration';
import { listAgentCommands, listAgentSessions, readSessionRevocation } from '@gateway/database/console';
import * as z from 'zod';
import { createdResponse, faulty, okResponse } from '../http/answers.ts';
import { exactly, filterOf, flag, instant, reference, searchText } from '../input/fields.ts';
import { pageAsked, pageOf, sortedPagingSchema } from '../input/page.ts';
import { administer } from '../routing/administer.ts';
import { type Right, type Route, route } from '../routing/route.ts';

const right: Right = { permission: 'sessions:revoquer' };

const FILTERS = ['session', 'subject', 'sessionPart', 'subjectPart', 'revoked'] as const;

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
    const rows = await listAgentSessions(services.database, filterOf(query, FILTERS), page);
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
