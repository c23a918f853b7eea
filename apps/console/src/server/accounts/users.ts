import { newAccountKey } from '@gateway/access';
import { accountFields } from '@gateway/access/declarations';
import { ROLE_NAMES, ROLES } from '@gateway/contract';
import { insertRoleAssignment } from '@gateway/database/console';
import {
  deleteUser,
  insertAccountKey,
  insertUser,
  listUsers,
  lockUser,
  type User,
  updateUser,
} from '@gateway/database/console/hosted';
import { v7 as uuid } from 'uuid';
import * as z from 'zod';
import { authorOf } from '../caller/caller.ts';
import { created, deleted, faulty, shown, taken, unknown } from '../http/answers.ts';
import { coming, exactly, filterOf, sought } from '../input/filter.ts';
import { flag } from '../input/flag.ts';
import { pageAsked, pageOf, sortedPaging } from '../input/page.ts';
import { present } from '../input/present.ts';
import { reference } from '../input/reference.ts';
import { administer } from '../routing/administer.ts';
import { route } from '../routing/route.ts';

const target = ({ username }: User) => `account:${username}`;
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
    'Lists the accounts by username with their roles. `search` searches username, display name and e-mail, and finds the account of a key by its last four characters. `username` selects one by its whole name.',
  answers: '200 `{users, next}`',
  query: z.strictObject({
    ...sortedPaging('users', z.tuple([z.string()]), {
      usual: 'username',
      columns: { plan: 'text', roles: 'text', state: 'text', createdAt: 'timestamptz' },
    }),
    search: sought,
    plan: reference.optional(),
    enabled: flag.optional(),
    username: exactly,
  }),
  async handle({ query, services }) {
    const filter = filterOf(query, ['search', 'plan', 'enabled', 'username']);
    const page = pageAsked(query);
    const rows = await listUsers(services.database, filter, page);
    return shown(pageOf('users', rows, page, (user) => [user.username]));
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
    keyExpiresAt: coming.nullable().default(null),
  }),
  async handle(call) {
    const { key, ...kept } = newAccountKey();
    const outcome = await administer(call, async ({ sql, record }) => {
      const { role, keyExpiresAt: expiresAt, ...described } = call.body;
      const made = await insertUser(sql, { id: uuid(), ...described });
      const user = role === null ? made : { ...made, roles: [{ role, project: null }] };
      const first = await insertAccountKey(sql, { id: uuid(), account: user.id, label: 'first', expiresAt, ...kept });
      const grant = { id: uuid(), subject: user.username, project: null, author: authorOf(call.caller) };
      const granted = role === null ? null : await insertRoleAssignment(sql, { ...grant, role });
      // Last: a transaction that has recorded keeps others from it, and `gatewayctl apply` may hold the table of roles.
      await record({
        action: 'account.create',
        target: target(user),
        before: null,
        after: { ...made, keys: [first] },
      });
      if (granted !== null) {
        await record({ action: 'role.grant', target: `subject:${user.username}`, before: null, after: granted });
      }
      return user;
    });
    if ('done' in outcome) return created({ ...outcome.done, key });
    if (outcome.violated.kind === 'reference') return faulty(NO_PLAN);
    // A name that was granted roles before there was an account.
    return outcome.violated.constraint.startsWith('role_assignments') || outcome.violated.kind === 'check'
      ? taken('role assignment of this subject', 'role')
      : taken('account', 'username');
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
      const before = (await lockUser(at.sql, call.parameters.id)) ?? at.abandon('absent');
      const after: User = { ...before, ...present(call.body) };
      await updateUser(at.sql, after, call.body.enabled !== undefined);
      await at.record({ action: 'account.change', target: target(before), before, after });
      return after;
    });
    if ('violated' in outcome) return faulty(NO_PLAN);
    return 'done' in outcome ? shown(outcome.done) : unknown('user');
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
      const before = (await lockUser(at.sql, call.parameters.id)) ?? at.abandon('absent');
      const projects = await deleteUser(at.sql, before);
      await at.record({
        action: 'account.delete',
        target: target(before),
        before: { ...before, projects },
        after: null,
      });
    });
    return 'done' in outcome ? deleted() : unknown('user');
  },
});

export const userRoutes = [list, create, change, remove];
