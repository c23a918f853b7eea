import { revokeImportedKeys } from '@gateway/database/administration';
import { listAccountImports } from '@gateway/database/console/hosted';
import * as z from 'zod';
import { okResponse, unknown } from '../http/answers.ts';
import { instant } from '../input/filter.ts';
import { pageAsked, pageOf, paging } from '../input/page.ts';
import { administer } from '../routing/administer.ts';
import { type Route, route } from '../routing/route.ts';

const right = 'shared-pair';

const list = route({
  method: 'GET',
  path: '/api/imports',
  right,
  summary: 'Lists the imports of accounts, the newest first, with how many of their keys are in force.',
  answers: '200 `{imports, next}`',
  query: z.strictObject(paging('imports', z.tuple([instant, z.guid()]))),
  async handle({ query, services }) {
    const page = pageAsked(query);
    const rows = await listAccountImports(services.database, page);
    return okResponse(pageOf('imports', rows, page, (row) => [row.startedAt, row.id]));
  },
});

const revoke = route({
  method: 'POST',
  path: '/api/imports/:id/revoke-keys',
  right,
  summary:
    'Revokes all keys that an import made: the next request with one of them is refused. The accounts stay. The administration log has one entry for the import and one for each key.',
  answers: '200 `{revoked}`: how many keys were in force until now',
  async handle(call) {
    const outcome = await administer<number, 'absent'>(
      call,
      async (act) => (await revokeImportedKeys(act, call.parameters.id)) ?? act.abandon('absent'),
    );
    return 'done' in outcome ? okResponse({ revoked: outcome.done }) : unknown('import');
  },
});

export const importRoutes: readonly Route[] = [list, revoke];
