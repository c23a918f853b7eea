import { PERMISSIONS, ROLE_NAMES, ROLES, type Role, roleOf } from '@gateway/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { profile } from '../profile/serverless.ts';
import type { Client } from '../testing/client.ts';
import { startTestConsole, type TestConsole } from '../testing/console.ts';
import type { Route } from './http/route.ts';

/** Rows that every version has (console-1): method, address, permission; `null` for the shared pair alone. */
const SPECIFIED: readonly (readonly [string, string, string | null])[] = [
  ['GET', '/api/users', 'membres:lire-l-instance'],
  ['POST', '/api/users', null],
  ['POST', '/api/users/:id/rotate-key', null],
  ['GET', '/api/users/:id/keys', null],
  ['POST', '/api/users/:id/keys', null],
  ['POST', '/api/users/:id/keys/:keyId/revoke', null],
  ['DELETE', '/api/users/:id', null],
  ['PATCH', '/api/users/:id', null],
  ['GET', '/api/plans', null],
  ['POST', '/api/plans', null],
  ['PATCH', '/api/plans/:id', null],
  ['DELETE', '/api/plans/:id', null],
  ['GET', '/api/usage', null],
  ['GET', '/api/usage/filters', null],
  ['GET', '/api/spending-caps', null],
  ['GET', '/api/providers', 'fournisseurs:administrer'],
  ['POST', '/api/providers', 'fournisseurs:administrer'],
  ['DELETE', '/api/providers/:id', 'fournisseurs:administrer'],
  ['GET', '/api/models', 'modeles:administrer'],
  ['POST', '/api/models', 'modeles:administrer'],
  ['DELETE', '/api/models/:id', 'modeles:administrer'],
  ['GET', '/api/endpoints', 'endpoints:administrer'],
  ['POST', '/api/endpoints', 'endpoints:administrer'],
  ['PATCH', '/api/endpoints/:id', 'endpoints:administrer'],
  ['DELETE', '/api/endpoints/:id', 'endpoints:administrer'],
  ['POST', '/api/policies', 'politique:administrer'],
  ['GET', '/api/organization', 'politique-d-organisation:administrer'],
  ['POST', '/api/organization', 'organisations:administrer'],
  ['POST', '/api/organization/policy', 'politique-d-organisation:administrer'],
  ['GET', '/api/audit/organization-policy', 'politique-d-organisation:lire'],
  ['GET', '/api/administration-actions', 'journal:lire'],
  ['GET', '/api/audit/agent-acts', 'journal:lire'],
  ['POST', '/api/audit/agent-sessions/:session/revocation', 'sessions:revoquer'],
  ['GET', '/api/agent-sessions', 'sessions:revoquer'],
  ['GET', '/api/agent-execution', 'console:administrer-l-instance'],
  ['GET', '/', 'console:administrer-l-instance'],
];

const NOBODY = '01890000-0000-7000-8000-000000000000';
const PROJECT = 'apollo';

let here: TestConsole;
let holders: Record<Role | 'nobody', Client>;
beforeAll(async () => {
  here = await startTestConsole();
  holders = {
    nobody: await here.holder(),
    'utilisateur-standard': await here.holder('utilisateur-standard'),
    'administrateur-de-projet': await here.holder({ role: 'administrateur-de-projet', project: PROJECT }),
    'administrateur-d-instance': await here.holder('administrateur-d-instance'),
    auditeur: await here.holder('auditeur'),
  };
});
afterAll(() => here.stop());

const permissionOf = ({ right }: Route) => (typeof right === 'string' ? null : right.permission);
/** What any caller may ask about themselves is no right of a role. */
const OF_ROLES = profile.routes.filter(({ right }) => right !== 'signed-in');
/** Asks for a route with a body that changes nothing that matters. */
function ask(client: Client, { method, path }: Pick<Route, 'method' | 'path'>) {
  const address = path
    .replace(':project', PROJECT)
    .replaceAll(/:(\w*[iI]d)\b/g, NOBODY)
    .replaceAll(/:\w+/g, 'nothing');
  return client.send(method, address, method === 'GET' || method === 'DELETE' ? undefined : {});
}

describe('the route table', () => {
  it('has every row of the contract, under the permission named there', () => {
    const rows = profile.routes.map((route) => [route.method, route.path, permissionOf(route)]);
    for (const row of SPECIFIED) expect(rows).toContainEqual(row);
  });
  it('names no address twice', () => {
    const rows = profile.routes.map(({ method, path }) => `${method} ${path}`);
    expect(rows).toEqual([...new Set(rows)]);
  });
  it('gives every permission of the console a use', () => {
    const used = new Set(profile.routes.flatMap((route) => [permissionOf(route), route.exportRight]));
    // The first two are the gateway's; plans belong to the shared pair.
    const elsewhere = ['inference:appeler', 'execution:lancer', 'plans:administrer'];
    expect(PERMISSIONS.filter((permission) => !used.has(permission) && !elsewhere.includes(permission))).toEqual([]);
  });
});

describe.each(OF_ROLES.map((route) => [`${route.method} ${route.path}`, route] as const))('%s', (_, route) => {
  const permission = permissionOf(route);
  const opens = permission === null ? null : roleOf(permission);

  it('opens to the shared pair', async () => {
    const { status } = await ask(here.pair, route);
    expect([200, 201, 204, 400, 404, 409, ...(route.answers.includes('page') ? [503] : [])]).toContain(status);
  });
  it('is 401 without a proof', async () => {
    expect((await ask(here.nobody, route)).status).toBe(401);
  });
  it.each(['nobody', ...ROLE_NAMES] as const)(
    'opens to %s if the matrix permits it, else names the missing permission',
    async (name) => {
      const { status, text } = await ask(holders[name], route);
      // What the route says of an empty body or an unknown id is its own affair, but not that the caller may not.
      const fell = [401, 403].includes(status) || status >= 500 ? status : 200;
      const missing = /no role that carries|No role allows it/.test(text) && text.includes(permission ?? 'shared pair');
      expect([fell, missing]).toEqual(
        name === opens ? [route.answers.includes('page') ? 503 : 200, false] : [403, true],
      );
    },
  );
});

describe('what callers may ask about themselves', () => {
  it('shows signed-in callers their own name and roles, and others nothing', async () => {
    expect((await here.nobody.get('/api/session')).status).toBe(401);
    expect((await here.pair.get('/api/session')).json).toEqual({ subject: null, roles: [], gatewayUrl: null });
    for (const name of ['nobody', 'auditeur'] as const) {
      const { status, json } = await holders[name].get('/api/session');
      const roles = name === 'nobody' ? [] : [{ role: 'auditeur', project: null }];
      expect([status, json]).toEqual([200, { subject: expect.stringMatching(/^holder-/), roles, gatewayUrl: null }]);
    }
  });
});

describe('an address the table lacks', () => {
  it.each([
    ['GET', '/api/nothing'],
    ['GET', '/api'],
    ['GET', '/admin'],
    ['GET', '/.env'],
    ['GET', '/api/providers/'],
    ['GET', '/API/providers'],
    ['GET', '//api/providers'],
    ['GET', '/api/providers/..'],
    ['PUT', '/api/providers'],
    ['DELETE', '/api/providers'],
    ['PATCH', '/api/policies'],
    ['DELETE', '/api/administration-actions'],
    ['OPTIONS', '/api/providers'],
    ['POST', '/'],
    ['POST', '/client.js'],
  ])('is 404 for a signed-in caller, 401 before: %s %s', async (method, path) => {
    expect((await here.pair.send(method, path)).status).toBe(404);
    expect((await holders['administrateur-d-instance'].send(method, path)).status).toBe(404);
    expect((await here.nobody.send(method, path)).status).toBe(401);
  });
});

describe("a project administrator's right", () => {
  it('ends at its project', async () => {
    const inProject = profile.routes.filter(({ right }) => typeof right !== 'string' && right.inProject);
    expect(inProject.length).toBeGreaterThan(0);
    const other = await here.holder({ role: 'administrateur-de-projet', project: 'gemini' });
    for (const route of inProject) {
      expect((await ask(other, route)).status).toBe(403);
      expect((await ask(holders['administrateur-de-projet'], route)).status).not.toBe(403);
    }
  });
});

describe('a right', () => {
  it('that is granted or revoked takes effect with the next request', async () => {
    const holder = await here.holder();
    const give = { subject: holder.username, role: 'administrateur-d-instance' };
    expect((await holder.get('/api/providers')).status).toBe(403);
    const { id } = await here.pair.create('/api/role-assignments', give);
    expect((await holder.get('/api/providers')).status).toBe(200);
    await here.pair.delete(`/api/role-assignments/${id}`);
    expect((await holder.get('/api/providers')).status).toBe(403);
  });
  it('of a disabled account, a revoked subject or a revoked key ends with the next request', async () => {
    const disabled = await here.holder('administrateur-d-instance');
    await here.pair.patch(`/api/users/${disabled.id}`, { enabled: false });
    expect((await disabled.get('/api/providers')).status).toBe(401);
    await here.pair.patch(`/api/users/${disabled.id}`, { enabled: true });
    expect((await disabled.get('/api/providers')).status).toBe(200);
    const revoked = await here.holder('administrateur-d-instance');
    const { id } = await here.pair.create('/api/subject-revocations', { subject: revoked.username, reason: 'left' });
    expect([(await revoked.get('/api/providers')).status, (await revoked.get('/api/providers')).json.error]).toEqual([
      403,
      'Your access to this instance has been revoked. Contact the operator of this deployment.',
    ]);
    await here.pair.post(`/api/subject-revocations/${id}/lift`, { reason: 'back' });
    expect((await revoked.get('/api/providers')).status).toBe(200);
  });
  it('is narrowed by the policy in force', async () => {
    const holder = await here.holder('administrateur-d-instance');
    const forbid = 'forbid(principal, action == Action::"fournisseurs:administrer", resource);';
    await here.pair.create('/api/policies', { cedar: forbid });
    const refused = await holder.get('/api/providers');
    expect((await here.pair.get('/api/providers')).status).toBe(200);
    await here.pair.create('/api/policies/lift', {});
    expect([refused.status, refused.json.error]).toEqual([403, expect.stringContaining('fournisseurs:administrer')]);
    expect((await holder.get('/api/providers')).status).toBe(200);
  });
  it('is narrowed by method, path and source address', async () => {
    const holder = await here.holder('administrateur-d-instance');
    const forbid = (when: string) => ({ cedar: `forbid(principal, action, resource) when { ${when} };` });
    await here.pair.create('/api/policies', forbid('context.method == "DELETE"'));
    expect([
      (await holder.get('/api/providers')).status,
      (await holder.delete(`/api/providers/${NOBODY}`)).status,
    ]).toEqual([200, 403]);
    await here.pair.create('/api/policies', forbid('context.path like "/api/models*"'));
    expect([(await holder.get('/api/providers')).status, (await holder.get('/api/models?limit=1')).status]).toEqual([
      200, 403,
    ]);
    await here.pair.create('/api/policies', forbid('context.sourceAddress.isLoopback()'));
    expect((await holder.get('/api/providers')).status).toBe(403);
    await here.pair.create('/api/policies/lift', {});
  });
  it('is narrowed on an address however that is spelled', async () => {
    const holder = await here.holder('administrateur-d-instance');
    const when = 'context.path like "/api/providers*" || context.path like "*limit=1*"';
    await here.pair.create('/api/policies', { cedar: `forbid(principal, action, resource) when { ${when} };` });
    const spellings = ['/api/%70roviders', '/%61pi/providers', '/api/x/../providers', '/api/models?l%69mit=%31'];
    const statuses = await Promise.all(spellings.map(async (path) => (await holder.get(path)).status));
    await here.pair.create('/api/policies/lift', {});
    expect(statuses).toEqual(spellings.map(() => 403));
  });
});

describe('the matrix', () => {
  it('gives each role something to open here, but the one that calls', () => {
    for (const role of ROLE_NAMES) {
      const opened = profile.routes.filter((route) =>
        ROLES[role].permissions.some((one) => one === permissionOf(route)),
      );
      expect(opened.length).toBeGreaterThan(0);
    }
  });
});
