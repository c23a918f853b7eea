import { newAccountKey } from '@gateway/access';
import { line } from '@gateway/access/declarations';
import { createKey, revokeKey, rotateKey } from '@gateway/database/administration';
import { type AccountKey, isUser, listAccountKeys, lockAccountKey, lockUser } from '@gateway/database/console/hosted';
import * as z from 'zod';
import { createdResponse, okResponse, unknown } from '../http/answers.ts';
import { futureInstant, reference } from '../input/fields.ts';
import { pageAsked, pageOf, sortedPagingSchema } from '../input/page.ts';
import { administer } from '../routing/administer.ts';
import { route } from '../routing/route.ts';

const right = 'shared-pair';
const label = line(100);
/** From when on the key is refused; null: until it is revoked. */
const expiresAt = futureInstant.nullable().default(null);

const list = route({
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

const create = route({
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

const revoke = route({
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

export const keyRoutes = [list, create, revoke, rotate];
