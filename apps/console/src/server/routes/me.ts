import { authorize, newAccountKey } from '@gateway/access';
import { matrixGrants, PERMISSIONS } from '@gateway/contract';
import type { Queryable } from '@gateway/database';
import { type AccountKey, listAccountKeys, lockAccountKey, lockUser } from '@gateway/domain/account/console';
import { readLocalAccount } from '@gateway/domain/account/console-subjects';
import { rotateKey } from '@gateway/domain/account/key-acts';
import { usualPath } from '@gateway/domain/endpoint/paths';
import { readPolicyEndpoints } from '@gateway/domain/policy/console';
import { readOwnConsumption } from '@gateway/domain/usage/console';
import * as z from 'zod';
import { administer } from '../http/administer.ts';
import { okResponse, unknown } from '../http/answers.ts';
import { decideOn } from '../http/authorize.ts';
import type { Subject } from '../http/caller.ts';
import { pageAsked, pageOf, paging } from '../http/page.ts';
import { type Call, type Route, route } from '../http/route.ts';

/** Shows callers the subject they are signed in as. It grants nothing. */
export const session = route({
  method: 'GET',
  path: '/api/session',
  right: 'signed-in',
  summary:
    'Shows the signed-in user with their roles, and the address of the gateway. The shared pair has no subject and no role.',
  answers:
    '200 `{subject, roles, gatewayUrl}`: `subject` is null for the shared pair, `gatewayUrl` if `GATEWAY_PUBLIC_URL` is not set',
  handle: async ({ caller, services: { gatewayUrl } }) =>
    okResponse({
      subject: caller.kind === 'subject' ? caller.subject : null,
      roles: caller.kind === 'subject' ? caller.roles : [],
      gatewayUrl,
    }),
});

/** Reads the plan of a subject; null where this build has none. */
export type ReadPlan = (sql: Queryable, subject: string) => Promise<object | null>;

/** The port of a gateway that nobody named. */
const USUAL_PORT = 6001;

/** Where callers reach an endpoint. */
function addressOf(endpoint: string, { request, services }: Call<unknown, unknown>): string {
  const { hostname } = new URL(request.url);
  const gateway = services.gatewayUrl ?? `http://${hostname}:${USUAL_PORT}`;
  return `${gateway}/${endpoint}/v1`;
}

async function ownFacts(call: Call<unknown, unknown>, caller: Subject, readPlan: ReadPlan): Promise<object> {
  const { services, sourceAddress, request } = call;
  const { database } = services;
  const { subject } = caller;
  const roles = caller.roles.map(({ role }) => role);
  const policies = await services.policies.compiled(database, caller.policy);
  const at = new Date();
  const isOpen = ({ name, model, provider }: { name: string; model: string; provider: string }): boolean =>
    authorize(
      {
        subject,
        roles,
        permission: 'inference:appeler',
        resource: { type: 'Endpoint', name, model, provider },
        call: { session: null, method: 'POST', path: usualPath(name), sourceAddress, at },
      },
      policies,
    ).granted;
  const endpoints = (await readPolicyEndpoints(database)).filter((one) => one.active && isOpen(one));
  const { pathname } = new URL(request.url);
  const circumstances = { method: request.method, path: pathname, sourceAddress, at };
  const readsUsage = decideOn(caller, { permission: 'usage:lire-le-sien' }, undefined, circumstances, policies).granted;
  return {
    subject,
    roles: caller.roles,
    permissions: PERMISSIONS.filter((permission) => matrixGrants(roles, permission)),
    endpoints: endpoints.map(({ name }) => ({ name, address: addressOf(name, call) })),
    usage: readsUsage ? await readOwnConsumption(database, subject) : null,
    plan: await readPlan(database, subject),
    contact: services.contact,
  };
}

const show = (readPlan: ReadPlan): Route =>
  route({
    method: 'GET',
    path: '/api/me',
    right: 'signed-in',
    summary:
      "Shows the caller's roles and permissions, the endpoints they may call, and their usage of this month (UTC). `contact` is the person or address that grants roles. The shared pair has no subject, endpoint or usage.",
    answers: '200 `{subject, roles, permissions, endpoints, usage, plan, contact}`',
    async handle(call) {
      const { caller, services } = call;
      if (caller.kind === 'subject') return okResponse(await ownFacts(call, caller, readPlan));
      const nothing = { subject: null, roles: [], endpoints: [], usage: null, plan: null };
      return okResponse({ ...nothing, permissions: PERMISSIONS, contact: services.contact });
    },
  });

const keys = route({
  method: 'GET',
  path: '/api/me/keys',
  right: 'signed-in',
  summary: "Lists the keys of the caller's own local account, the newest first. Others have none.",
  answers: '200 `{keys, next}`',
  query: z.strictObject(paging('keys', z.tuple([z.guid()]))),
  async handle({ caller, query, services }) {
    const page = pageAsked(query);
    const account = caller.kind === 'subject' ? await readLocalAccount(services.database, caller.subject) : undefined;
    const rows = account === undefined ? [] : await listAccountKeys(services.database, account, page);
    return okResponse(pageOf('keys', rows, page, (key) => [key.id]));
  },
});

const rotate = route({
  method: 'POST',
  path: '/api/me/keys/:keyId/rotate',
  right: 'signed-in',
  summary:
    "Replaces one of the caller's own keys. Only this answer shows the new one, which has the same label and expiry. The old one is refused with its next request.",
  answers: '200 key with `key`',
  async handle(call) {
    const { caller } = call;
    if (caller.kind !== 'subject') return unknown('key');
    const { key, ...kept } = newAccountKey();
    const outcome = await administer<AccountKey, 'absent'>(call, async (at) => {
      const account = (await lockUser(at.sql, { username: caller.subject })) ?? at.abandon('absent');
      const old = await lockAccountKey(at.sql, account.id, call.parameters.keyId);
      if (account.origin !== 'local' || old === undefined || hasEnded(old)) return at.abandon('absent');
      // Nobody prolongs an own key: the new one ends with the old one.
      const expiresAt = old.expiresAt?.toISOString() ?? null;
      return (await rotateKey(at, account, old.id, { label: old.label, expiresAt, ...kept })).made;
    });
    return 'done' in outcome ? okResponse({ ...outcome.done, key }) : unknown('key');
  },
});

const hasEnded = ({ revokedAt, expiresAt }: AccountKey): boolean =>
  revokedAt !== null || (expiresAt !== null && expiresAt.getTime() <= Date.now());

/** What signed-in people see of themselves, with any role or none. */
export const meRoutes = (readPlan: ReadPlan): readonly Route[] => [show(readPlan), keys, rotate];
