import { newAccountKey } from '@gateway/access';
import { accountFields } from '@gateway/access/declarations';
import { ROLE_NAMES, ROLES } from '@gateway/contract';
import {
  changeAccount,
  changeAccounts,
  createAccount,
  deleteAccount,
  grantRole,
} from '@gateway/database/administration';
import { listUsers, lockUser, type User } from '@gateway/database/console/hosted';
import * as z from 'zod';
import { createdResponse, emptyResponse, faulty, okResponse, refuseTaken, unknown } from '../http/answers.ts';
import { exactly, filterOf, flag, futureInstant, present, reference, searchText } from '../input/fields.ts';
import { pageAsked, pageOf, sortedPagingSchema } from '../input/page.ts';
import { administer } from '../routing/administer.ts';
import { route } from '../routing/route.ts';
import { importRoutes, importUsers } from './import.ts';

/** Accounts of one request. */
const MOST_CHANGES = 500;
const LIST = `must be a list of 1 to ${MOST_CHANGES} changes`;

const one = z.strictObject({
  id: reference,
  plan: reference.nullable().optional(),
  enabled: z.boolean('must be true or false').optional(),
});

const REFUSED = { absent: 'There is no such user.', plan: 'plan must be the id of one that exists.' } as const;

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
        ? { id, outcome: 'refused', error: REFUSED[came] }
        : { id, outcome: came };
    });
    return okResponse({ results });
  },
});

/** A role of a project needs the project named: it is granted afterwards. */
const NAMES = ROLE_NAMES.filter((role) => ROLES[role].projectScope === 'forbidden');
const NO_PLAN = { plan: 'must be the id of one that exists' };

const { username, ...described } = accountFields;
const fields = { plan: reference.nullable(), ...described };

const list = route({
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

const create = route({
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

export const userRoutes = [list, create, importUsers, ...importRoutes, changeUsers, change, remove];
