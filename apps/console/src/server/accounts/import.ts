import { newAccountKey } from '@gateway/access';
import { accountFields } from '@gateway/access/declarations';
import { ROLE_NAMES, ROLES, refusal, sentenceOf } from '@gateway/contract';
import {
  type ImportedAccount,
  type ImportOutcome,
  importAccounts,
  revokeImportedKeys,
} from '@gateway/database/administration';
import { listAccountImports } from '@gateway/database/console/hosted';
import { maskText } from '@gateway/secrets';
import * as z from 'zod';
import { faulty, okResponse, unknown } from '../http/answers.ts';
import { secretsIn } from '../input/body.ts';
import { fieldsOf, futureInstant, instant, reference } from '../input/fields.ts';
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

/** Accounts of one request. */
const MOST_ROWS = 500;
const LIST_OF_USERS = `must be a list of 1 to ${MOST_ROWS} users`;

/** A role of a project needs the project named: it is granted afterwards. */
const NAMES = ROLE_NAMES.filter((role) => ROLES[role].projectScope === 'forbidden');

const row = z.strictObject({
  username: accountFields.username,
  plan: reference.nullable().default(null),
  role: z.enum(NAMES).nullable().default(null),
  displayName: accountFields.displayName.default(null),
  email: accountFields.email.default(null),
  enabled: accountFields.enabled.default(true),
  keyExpiresAt: futureInstant.nullable().default(null),
});

/** One row of the request: an account with its key, or why there is none. */
type ReadRow = { readonly account: ImportedAccount; readonly key: string } | { readonly error: string };

function readRow(given: unknown): ReadRow {
  const [secret] = Object.entries(secretsIn(JSON.stringify(given ?? null)));
  if (secret !== undefined) return { error: `${maskText(secret[0])} ${secret[1]}` };
  const read = row.safeParse(given);
  if (!read.success) {
    const faults = Object.entries(fieldsOf(read.error)).map(([field, sentence]) => `${field} ${sentence}`);
    return { error: maskText(faults.join('; ')) };
  }
  const { keyExpiresAt: expiresAt, ...account } = read.data;
  const { key, ...kept } = newAccountKey();
  return { account: { ...account, key: { label: 'first', expiresAt, ...kept } }, key };
}

const REFUSED: Partial<Record<ImportOutcome, string>> = {
  plan: 'plan must be the id of one that exists',
  excluded: sentenceOf(refusal('roles-exclude')),
};

const nameOf = (given: unknown): string | null =>
  typeof given === 'object' && given !== null && 'username' in given && typeof given.username === 'string'
    ? maskText(given.username)
    : null;

export const importUsers = route({
  method: 'POST',
  path: '/api/users/import',
  right: 'shared-pair',
  summary:
    'Creates 1 to 500 accounts, each with its first key, which only this answer shows. A faulty row is refused by itself. An account that exists stays as it is; with `reissue` it gets a new key, and its old ones are revoked. `import`, a UUID that the caller makes, joins requests to one import whose keys can be revoked together.',
  answers:
    '200 `{results}`: `username`, `outcome` (`created`, `exists`, `refused`), `key` and `error` of each, in the order given',
  body: z.strictObject({
    users: z.array(z.unknown(), LIST_OF_USERS).min(1, LIST_OF_USERS).max(MOST_ROWS, LIST_OF_USERS),
    reissue: z.boolean('must be true or false').default(false),
    import: reference.nullable().default(null),
  }),
  attempted: true,
  async handle(call) {
    const { users, reissue, import: importId } = call.body;
    const seen = new Set<string>();
    const rows = users.map((given): ReadRow => {
      const read = readRow(given);
      if ('error' in read) return read;
      const { username } = read.account;
      if (seen.has(username)) return { error: 'username is in this request twice' };
      seen.add(username);
      return read;
    });
    const accounts = rows.flatMap((one) => ('account' in one ? [one.account] : []));
    const outcome = await administer(call, (act) => importAccounts(act, accounts, reissue, importId));
    if ('violated' in outcome) return faulty({ users: 'changed meanwhile: send the request again' });
    let at = 0;
    const results = rows.map((one, index) => {
      const username = nameOf(users[index]);
      if ('error' in one) return { username, outcome: 'refused', error: one.error };
      const came = outcome.done[at++] ?? 'exists';
      const error = REFUSED[came];
      if (error !== undefined) return { username, outcome: 'refused', error };
      if (came === 'exists') return { username, outcome: 'exists' };
      return { username, outcome: came === 'created' ? 'created' : 'exists', key: one.key };
    });
    return okResponse({ results });
  },
});
