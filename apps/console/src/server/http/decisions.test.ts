import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestConsole, type TestConsole, unique } from '../../testing/console.ts';

let here: TestConsole;
beforeAll(async () => {
  here = await startTestConsole();
});
afterAll(() => here.stop());

/** The entries about a subject, the oldest first. */
const entriesOf = async (subject: string): Promise<Record<string, unknown>[]> =>
  (await here.pair.get(`/api/audit/decisions?limit=500&subject=${subject}`)).json.decisions.reverse();

describe('the entry of a request', () => {
  it('says who asked for what, with which key and roles, and from where', async () => {
    const project = unique('project');
    const holder = await here.holder('utilisateur-standard', { role: 'administrateur-de-projet', project });
    await holder.get(`/api/projects/${project}/members`, { 'x-forwarded-for': '192.0.2.7', 'x-request-id': ' id-1 ' });
    const [{ id: keyId }] = (await here.pair.get(`/api/users/${holder.id}/keys`)).json.keys;
    expect(await entriesOf(holder.username)).toEqual([
      expect.objectContaining({
        component: 'console',
        subject: holder.username,
        credential: 'key',
        keyId,
        permission: 'membres:lire',
        resource: `project:${project}`,
        outcome: 'granted',
        reason: 'role',
        status: 200,
        roles: expect.toSatisfy((roles: string[]) => roles.length === 2 && roles.includes('administrateur-de-projet')),
        requestId: 'id-1',
        sourceAddress: '192.0.2.7',
        detail: null,
        session: null,
        policyRevision: null,
      }),
    ]);
  });
  it('of a role in two projects names the role once', async () => {
    const holder = await here.holder(
      { role: 'administrateur-de-projet', project: unique('project') },
      { role: 'administrateur-de-projet', project: unique('project') },
    );
    await holder.get('/api/projects/own');
    expect((await entriesOf(holder.username)).map(({ roles }) => roles)).toEqual([['administrateur-de-projet']]);
  });
  it('is there before the change that it grants', async () => {
    const holder = await here.holder('administrateur-d-instance');
    const slug = unique('provider');
    await holder.create('/api/providers', { slug, name: 'P', baseUrl: 'https://engine.example' });
    const [entry] = await entriesOf(holder.username);
    const [act] = (await here.pair.get(`/api/administration-actions?target=provider:${slug}`)).json
      .administrationActions;
    expect(Date.parse(String(entry?.['at']))).toBeLessThanOrEqual(Date.parse(act.at));
  });
  it('names the policy that refused and its revision, which the caller does not see', async () => {
    const holder = await here.holder('administrateur-d-instance');
    const cedar = '@id("no-providers") forbid(principal, action == Action::"fournisseurs:administrer", resource);';
    const { revision } = await here.pair.create('/api/policies', { cedar });
    const reply = await holder.get('/api/providers');
    await here.pair.create('/api/policies/lift', {});
    expect(reply.text).not.toMatch(/no-providers|policy/);
    await expect
      .poll(() => entriesOf(holder.username))
      .toMatchObject([
        {
          outcome: 'refused',
          reason: 'policy-forbids',
          status: 403,
          policyRevision: revision,
          detail: expect.any(String),
        },
      ]);
  });
  it('keeps one line of the request id, of 200 characters at most, and no secret in it', async () => {
    const holder = await here.holder('auditeur');
    const token = ['ghp_', 'aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zA1bC2'].join('');
    await holder.get('/api/overview', { 'x-request-id': 'x'.repeat(5000) });
    await holder.get('/api/overview', { 'x-request-id': token });
    await holder.get('/api/overview', { 'x-request-id': '   ' });
    await expect.poll(() => entriesOf(holder.username)).toHaveLength(3);
    const ids = (await entriesOf(holder.username)).map(({ requestId }) => requestId);
    expect(ids).toEqual(expect.arrayContaining(['x'.repeat(200), null]));
    expect(JSON.stringify(ids)).not.toContain(token);
  });
  it('of a file has two decisions: to read, and to export', async () => {
    const auditor = await here.holder('auditeur');
    expect((await auditor.get('/api/audit/decisions?format=csv&limit=1')).status).toBe(200);
    expect((await entriesOf(auditor.username)).map(({ permission, outcome }) => [permission, outcome])).toEqual([
      ['journal:lire', 'granted'],
      ['journal:exporter', 'granted'],
    ]);
  });
  it('of a refused change is kept although nothing was done, once for each try', async () => {
    const auditor = await here.holder('auditeur');
    for (let round = 0; round < 3; round += 1) await auditor.delete(`/api/providers/${crypto.randomUUID()}`);
    await expect
      .poll(() => entriesOf(auditor.username))
      .toMatchObject(
        Array.from({ length: 3 }, () => ({
          outcome: 'refused',
          reason: 'role-missing',
          permission: 'fournisseurs:administrer',
        })),
      );
  });
  it('is not made where a caller asks about itself, nor for the shared pair', async () => {
    const holder = await here.holder();
    await holder.get('/api/session');
    expect(await entriesOf(holder.username)).toEqual([]);
    const requestId = unique('request');
    await here.pair.get('/api/providers', { 'x-request-id': requestId });
    expect((await here.pair.get(`/api/audit/decisions?requestId=${requestId}`)).json.decisions).toEqual([]);
  });
});

describe('many requests at once', () => {
  it('leave one entry each, in a chain without a gap', async () => {
    const holders = [
      await here.holder('auditeur'),
      await here.holder('auditeur'),
      await here.holder('administrateur-d-instance'),
    ];
    await Promise.all(
      holders.flatMap((holder) =>
        Array.from({ length: 20 }, (_, number) =>
          holder.get(number % 2 === 0 ? '/api/audit/decisions?limit=1' : '/api/providers?limit=1'),
        ),
      ),
    );
    for (const { username } of holders) await expect.poll(() => entriesOf(username)).toHaveLength(20);
    const verdict = (await here.pair.post('/api/audit/verification', {})).text.trim().split('\n').at(-1) ?? '';
    expect(JSON.parse(verdict)).toMatchObject({ result: 'whole' });
  });
});
