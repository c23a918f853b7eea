import { listAgentCommands } from '@gateway/database/console';
import * as z from 'zod';
import { okResponse } from '../http/answers.ts';
import { exactly, filterOf, instant, searchText } from '../input/filter.ts';
import { flag } from '../input/flag.ts';
import { pageAsked, pageOf, sortedPagingSchema } from '../input/page.ts';
import { reference } from '../input/reference.ts';
import { route } from '../routing/route.ts';

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
