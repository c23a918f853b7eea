import { newAccountKey } from '@gateway/access';
import { ROLE_NAMES, ROLES, refusal, sentenceOf } from '@gateway/contract';
import { line } from '@gateway/contract/fields';
import { changeAccount, changeAccounts, createAccount, deleteAccount } from '@gateway/domain/account/acts';
import {
  type AccountKey,
  isUser,
  listAccountImports,
  listAccountKeys,
  listUsers,
  lockAccountKey,
  lockUser,
  type User,
} from '@gateway/domain/account/console';
import {
  type ImportedAccount,
  type ImportOutcome,
  importAccounts,
  revokeImportedKeys,
} from '@gateway/domain/account/import-acts';
import { createKey, revokeKey, rotateKey } from '@gateway/domain/account/key-acts';
import { accountFields, newAccountFields } from '@gateway/domain/account/shape';
import { grantRole } from '@gateway/domain/role/acts';
import { maskText } from '@gateway/secrets';
import * as z from 'zod';
import { administer } from '../http/administer.ts';
import { createdResponse, emptyResponse, faulty, okResponse, refuseTaken, unknown } from '../http/answers.ts';
import { secretsIn } from '../http/body.ts';
import {
  exactly,
  fieldsOf,
  filterOf,
  flag,
  futureInstant,
  instant,
  present,
  reference,
  searchText,
} from '../http/fields.ts';
import { pageAsked, pageOf, paging, sortedPagingSchema } from '../http/page.ts';
import { type Route, route } from '../http/route.ts';

const right = 'shared-pair';

const label = line(100);
/** From when on the key is refused; null: until it is revoked. */
const expiresAt = futureInstant.nullable().default(null);

const listKeys = route({
  method: 'GET',
  path: '/api/users/:id/keys',
  right,
  summary:
    'Lists the keys of an account, the newest first: label, last four characters, and the times of creation, expiry and revocation. `lastUsedAt` is the last relayed call, or the newest of the last 10,000 decisions on the account.',
  answers: '200 `{keys, next}`',
  query: z.strictObject(
    sortedPagingSchema('keys', z.tuple([z.guid()]), {
      usual: '-createdAt',
      columns: { label: 'text', expiresAt: 'timestamptz', lastUsedAt: 'timestamptz', revokedAt: 'timestamptz' },
    }),
  ),
  async handle({ parameters, query, services }) {
    const { id } = parameters;
    if (!(await isUser(services.database, id))) return unknown('user');
    const page = pageAsked(query);
    const rows = await listAccountKeys(services.database, id, page);
    return okResponse(pageOf('keys', rows, page, (key) => [key.id]));
  },
});

const createKeyRoute = route({
  method: 'POST',
  path: '/api/users/:id/keys',
  right,
  summary:
    'Gives an account one more key, which only this answer shows. From `expiresAt` on it is refused. With null it has no expiry.',
  answers: '201 key with `key`',
  body: z.strictObject({ label, expiresAt }),
  async handle(call) {
    const { key, ...kept } = newAccountKey();
    const outcome = await administer<AccountKey, 'absent'>(call, async (at) => {
      const user = (await lockUser(at.sql, { id: call.parameters.id })) ?? at.abandon('absent');
      return createKey(at, user, { ...call.body, ...kept });
    });
    return 'done' in outcome ? createdResponse({ ...outcome.done, key }) : unknown('user');
  },
});

const revokeKeyRoute = route({
  method: 'POST',
  path: '/api/users/:id/keys/:keyId/revoke',
  right,
  summary: 'Revokes a key: the next request with it is refused. Revoking it again changes nothing.',
  answers: '200 key',
  async handle(call) {
    const { id, keyId } = call.parameters;
    const outcome = await administer<AccountKey, 'absent'>(call, async (at) => {
      const user = (await lockUser(at.sql, { id })) ?? at.abandon('absent');
      const before = (await lockAccountKey(at.sql, id, keyId)) ?? at.abandon('absent');
      return revokeKey(at, user, before);
    });
    return 'done' in outcome ? okResponse(outcome.done) : unknown('key');
  },
});

const rotate = route({
  method: 'POST',
  path: '/api/users/:id/rotate-key',
  right,
  summary:
    'Issues a new key, which only this answer shows. Revokes the key named by `key`, or all valid keys. From `expiresAt` on the new key is refused.',
  answers: '200 key with `key`',
  body: z.strictObject({ key: reference.optional(), label: label.default('rotated'), expiresAt }),
  async handle(call) {
    const { key, ...kept } = newAccountKey();
    const outcome = await administer<AccountKey, 'user' | 'key'>(call, async (at) => {
      const user = (await lockUser(at.sql, { id: call.parameters.id })) ?? at.abandon('user');
      const old = call.body.key ?? null;
      if (old !== null && (await lockAccountKey(at.sql, user.id, old)) === undefined) at.abandon('key');
      const { label, expiresAt } = call.body;
      return (await rotateKey(at, user, old, { label, expiresAt, ...kept })).made;
    });
    if ('done' in outcome) return okResponse({ ...outcome.done, key });
    return unknown('abandoned' in outcome ? outcome.abandoned : 'user');
  },
});

export const keyRoutes = [listKeys, createKeyRoute, revokeKeyRoute, rotate];

const listImports = route({
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

const revokeUser = route({
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

const importRoutes: readonly Route[] = [listImports, revokeUser];

/** Accounts of one request. */
const MOST_ROWS = 500;
const LIST_OF_USERS = `must be a list of 1 to ${MOST_ROWS} users`;

/** A role of a project needs the project named: it is granted afterwards. */
const NAMES = ROLE_NAMES.filter((role) => ROLES[role].projectScope === 'forbidden');

const row = z.strictObject({
  ...newAccountFields,
  plan: reference.nullable().default(null),
  role: z.enum(NAMES).nullable().default(null),
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

const IMPORT_REFUSED: Partial<Record<ImportOutcome, string>> = {
  plan: 'plan must be the id of one that exists',
  excluded: sentenceOf(refusal('roles-exclude')),
};

const nameOf = (given: unknown): string | null =>
  typeof given === 'object' && given !== null && 'username' in given && typeof given.username === 'string'
    ? maskText(given.username)
    : null;

const importUsers = route({
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
      const error = IMPORT_REFUSED[came];
      if (error !== undefined) return { username, outcome: 'refused', error };
      if (came === 'exists') return { username, outcome: 'exists' };
      return { username, outcome: came === 'created' ? 'created' : 'exists', key: one.key };
    });
    return okResponse({ results });
  },
});

/** Accounts of one request. */
const MOST_CHANGES = 500;
const LIST = `must be a list of 1 to ${MOST_CHANGES} changes`;

const one = z.strictObject({
  id: reference,
  plan: reference.nullable().optional(),
  enabled: z.boolean('must be true or false').optional(),
});

const USER_REFUSED = { absent: 'There is no such user.', plan: 'plan must be the id of one that exists.' } as const;

/** Plan and state of many accounts. */
const changeUsers = route({
  method: 'POST',
  path: '/api/users/changes',
  right: 'shared-pair',
  summary:
    'Changes plan or state of 1 to 500 accounts. Each is refused by itself. A disabled account is refused with its next request.',
  answers:
    '200 `{results}`: `id`, `outcome` (`changed`, `unchanged`, `refused`) and `error` of each, in the order given',
  body: z.strictObject({ changes: z.array(one, LIST).min(1, LIST).max(MOST_CHANGES, LIST) }),
  async handle(call) {
    const { changes } = call.body;
    if (new Set(changes.map(({ id }) => id.toLowerCase())).size < changes.length)
      return faulty({ changes: 'name an account twice' });
    const outcome = await administer(call, (act) => changeAccounts(act, changes));
    if ('violated' in outcome) return faulty({ changes: 'changed meanwhile: send the request again' });
    const results = changes.map(({ id }, at) => {
      const came = outcome.done[at] ?? 'absent';
      return came === 'absent' || came === 'plan'
        ? { id, outcome: 'refused', error: USER_REFUSED[came] }
        : { id, outcome: came };
    });
    return okResponse({ results });
  },
});

const NO_PLAN = { plan: 'must be the id of one that exists' };

const { username, ...described } = accountFields;
const fields = { plan: reference.nullable(), ...described };

const listUsersRoute = route({
  method: 'GET',
  path: '/api/users',
  right: { permission: 'membres:lire-l-instance' },
  summary:
    'Lists the accounts by username with their roles. `search` searches username, display name and e-mail, and finds the account of a key by its last four characters. `username` selects one by its whole name, `plan` and `role` those who have it (`none`: none). Each has the euros `spent` this month, its last call, and when the first of its keys ends.',
  answers: '200 `{users, next}`',
  query: z.strictObject({
    ...sortedPagingSchema('users', z.tuple([z.string()]), {
      usual: 'username',
      columns: {
        plan: 'text',
        roles: 'text',
        state: 'text',
        createdAt: 'timestamptz',
        spent: 'float8',
        lastCallAt: 'timestamptz',
        keyEndsAt: 'timestamptz',
      },
    }),
    search: searchText,
    plan: z.union([z.literal('none'), reference]).optional(),
    enabled: flag.optional(),
    username: exactly,
    role: z.enum(['none', ...ROLE_NAMES]).optional(),
    state: z.enum(['enabled', 'disabled', 'revoked']).optional(),
  }),
  async handle({ query, services }) {
    const filter = filterOf(query, ['search', 'plan', 'enabled', 'username', 'role', 'state']);
    const page = pageAsked(query);
    const rows = await listUsers(services.database, filter, page);
    return okResponse(pageOf('users', rows, page, (user) => [user.username]));
  },
});

const createUser = route({
  method: 'POST',
  path: '/api/users',
  right: 'shared-pair',
  summary:
    'Creates an account with its first key, which only this answer shows. `role` grants a role. From `keyExpiresAt` on its key is refused.',
  answers: '201 user with `key`',
  body: z.strictObject({
    username,
    plan: fields.plan.default(null),
    enabled: fields.enabled.default(true),
    displayName: fields.displayName.default(null),
    email: fields.email.default(null),
    role: z.enum(NAMES).nullable().default(null),
    keyExpiresAt: futureInstant.nullable().default(null),
  }),
  async handle(call) {
    const { key, ...kept } = newAccountKey();
    const outcome = await administer<User, 'role'>(call, async (act) => {
      const { role, keyExpiresAt: expiresAt, ...described } = call.body;
      const user = await createAccount(act, described, { label: 'first', expiresAt, ...kept });
      if (role === null) return user;
      const granted = await grantRole(act, { subject: user.username, role, project: null });
      return granted === undefined ? act.abandon('role') : { ...user, roles: [{ role, project: null }] };
    });
    if ('done' in outcome) return createdResponse({ ...outcome.done, key });
    const violated = 'violated' in outcome ? outcome.violated.kind : 'role';
    if (violated === 'reference') return faulty(NO_PLAN);
    // Roles may have been granted to a name before there is an account.
    return violated === 'taken'
      ? refuseTaken('account', 'username')
      : refuseTaken('role assignment of this subject', 'role', 'is assigned already');
  },
});

const change = route({
  method: 'PATCH',
  path: '/api/users/:id',
  right: 'shared-pair',
  summary: 'Changes plan, state or description of an account. A disabled account is refused with its next request.',
  answers: '200 user',
  body: z.strictObject(fields).partial(),
  async handle(call) {
    const outcome = await administer<User, 'absent'>(call, async (at) => {
      const before = (await lockUser(at.sql, { id: call.parameters.id })) ?? at.abandon('absent');
      const { disabledByProject: _, ...after } = await changeAccount(at, before, present(call.body));
      return after;
    });
    if ('violated' in outcome) return faulty(NO_PLAN);
    return 'done' in outcome ? okResponse(outcome.done) : unknown('user');
  },
});

const remove = route({
  method: 'DELETE',
  path: '/api/users/:id',
  right: 'shared-pair',
  summary:
    'Deletes an account with its keys, role assignments and memberships of projects. Its usage and decisions stay in the logs.',
  answers: '204',
  async handle(call) {
    const outcome = await administer<void, 'absent'>(call, async (at) => {
      await deleteAccount(at, (await lockUser(at.sql, { id: call.parameters.id })) ?? at.abandon('absent'));
    });
    return 'done' in outcome ? emptyResponse() : unknown('user');
  },
});

export const userRoutes = [listUsersRoute, createUser, importUsers, ...importRoutes, changeUsers, change, remove];
