import { storable } from '@gateway/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../../testing/client.ts';
import { startTestConsole, type TestConsole } from '../../testing/console.ts';

let here: TestConsole;
let auditor: Client;
beforeAll(async () => {
  here = await startTestConsole();
  auditor = await here.holder('auditeur');
});
afterAll(() => here.stop());

const HARMLESS = 'forbid(principal == Subject::"nobody", action, resource);';
const install = (cedar: unknown) => here.pair.post('/api/policies', { cedar });
const attempts = async () => (await auditor.get('/api/audit/policies')).json.attempts as Record<string, unknown>[];
const actions = async () =>
  (await auditor.get('/api/administration-actions?target=policy')).json.administrationActions as Record<
    string,
    unknown
  >[];

describe('an authorization policy', () => {
  it('is installed as the next revision, and shown to auditors', async () => {
    const one = await install(HARMLESS);
    const two = await install(`${HARMLESS}\n`);
    expect([one.status, two.status, two.json.revision]).toEqual([201, 201, one.json.revision + 1]);
    expect(two.json).toMatchObject({ policies: 1 });
    const shown = (await auditor.get('/api/policies/in-force')).json.policy;
    expect(two.json).toMatchObject(shown);
    expect((await auditor.get('/api/policies?limit=1')).json.policies).toEqual([shown]);
  });
  it('that somebody installed is shown to that person alone, as it was handed in', async () => {
    const holder = await here.holder('administrateur-d-instance');
    const named = (name: string) => `@id("${name}") ${HARMLESS}`;
    await install(named('of-the-pair'));
    const { revision } = (await holder.post('/api/policies', { cedar: named('of-the-holder'), mode: 'append' })).json;
    const shown = await holder.get(`/api/policies/own/${revision}`);
    expect(shown.json).toMatchObject({ revision, names: ['of-the-holder'], cedar: named('of-the-holder') });
    for (const other of [revision - 1, revision + 1, 0, '1.5', 'x', '99999999999'])
      expect((await holder.get(`/api/policies/own/${other}`)).status, String(other)).toBe(404);
    expect((await here.pair.get(`/api/policies/own/${revision}`)).status).toBe(404);
    expect((await auditor.get(`/api/policies/own/${revision}`)).status).toBe(403);
  });
  it('gets a unique number, also for concurrent installations', async () => {
    const replies = await Promise.all(Array.from({ length: 6 }, () => install(HARMLESS)));
    expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 201));
    expect(new Set(replies.map(({ json }) => json.revision)).size).toBe(6);
  });
  it.each([
    ['permit(principal, action, resource);', /line 1, column 1/],
    [`${HARMLESS}\npermit(principal, action, resource);`, /line 2, column 1/],
    ['forbid(principal, action, resource)\nwhen { 1 + };', /line 2, column \d+/],
    ['forbid(principal, action == Action::"no:such", resource);', /line 1/],
    ['forbid(principal, action, resource) when { context.weather == "rain" };', /line 1/],
    ['<script>', /line 1/],
    [7, /text/],
    [null, /text/],
    [undefined, /text/],
    [['forbid'], /text/],
  ])('is refused with the position of the fault, and changes nothing: %j', async (cedar, place) => {
    await install(HARMLESS);
    const reply = await install(cedar);
    expect([reply.status, reply.json.error]).toEqual([400, expect.stringMatching(place)]);
    expect(reply.json.fields.cedar).toMatch(place);
    expect(reply.json.faults[0]).toEqual({
      line: expect.any(Number),
      column: expect.any(Number),
      message: expect.any(String),
    });
    expect((await auditor.get('/api/policies/in-force')).json.policy.cedar).toBe(HARMLESS);
  });
  it.each(['// \0', '// \ud800', 'forbid(principal == Subject::"\udc00", action, resource);'])(
    'is refused and recorded if it cannot be stored unchanged: %j',
    async (cedar) => {
      const kept = (await attempts()).length;
      const reply = await install(cedar);
      expect([reply.status, reply.json.error]).toEqual([400, expect.stringMatching(/line 1, column \d+/)]);
      expect((await here.pair.post('/api/policies/check', { cedar })).json.faults).toHaveLength(1);
      const [attempt] = await attempts();
      expect((await attempts()).length).toBe(kept + 1);
      expect(attempt).toMatchObject({ outcome: 'refused', document: storable(cedar) });
      expect(here.faults).toEqual([]);
    },
  );
  it('is recorded as an attempt with its author, installed or refused', async () => {
    const holder = await here.holder('administrateur-d-instance');
    await holder.post('/api/policies', { cedar: HARMLESS });
    await holder.post('/api/policies', { cedar: 'permit(principal, action, resource);' });
    const [refused, installed] = await attempts();
    expect(refused).toMatchObject({
      outcome: 'refused',
      revision: null,
      author: holder.username,
      document: expect.stringContaining('permit'),
    });
    expect(refused?.['fault']).toMatch(/^line 1, column 1: /);
    expect(installed).toMatchObject({ outcome: 'installed', fault: null, author: holder.username, document: HARMLESS });
    expect((await actions()).slice(0, 2)).toMatchObject([
      { action: 'policy.refuse', author: holder.username },
      {
        action: 'policy.install',
        author: holder.username,
        newValue: { cedar: HARMLESS },
        oldValue: { cedar: HARMLESS },
      },
    ]);
    expect(
      (await auditor.get(`/api/audit/policies?outcome=refused&author=${holder.username}`)).json.attempts,
    ).toHaveLength(1);
  });
  it.each(['', ' \n', '// nothing follows'])(
    'is refused if it contains no policy, and recorded as an attempt: %j',
    async (cedar) => {
      await install(HARMLESS);
      const reply = await install(cedar);
      expect([reply.status, reply.json.error]).toEqual([400, expect.stringContaining('POST /api/policies/lift')]);
      expect((await here.pair.post('/api/policies/check', { cedar })).json.faults).toHaveLength(1);
      expect((await auditor.get('/api/policies/in-force')).json.policy.cedar).toBe(HARMLESS);
      expect((await attempts())[0]).toMatchObject({ outcome: 'refused', document: cedar });
    },
  );
  it('is lifted on explicit request, by callers who may install one', async () => {
    const holder = await here.holder('administrateur-d-instance');
    const { json: before } = await install(HARMLESS);
    const reply = await holder.post('/api/policies/lift', {});
    expect([reply.status, reply.json]).toEqual([
      201,
      expect.objectContaining({ revision: before.revision + 1, cedar: '', author: holder.username }),
    ]);
    expect(reply.json).toMatchObject((await auditor.get('/api/policies/in-force')).json.policy);
    expect((await attempts())[0]).toMatchObject({ outcome: 'installed', document: '', author: holder.username });
    expect((await actions())[0]).toMatchObject({ action: 'policy.install', author: holder.username });
    expect((await auditor.post('/api/policies/lift', {})).status).toBe(403);
  });
  it('is checked without being installed', async () => {
    const before = (await attempts()).length;
    const check = async (cedar: string) => (await here.pair.post('/api/policies/check', { cedar })).json.faults;
    expect(await check(HARMLESS)).toEqual([]);
    expect(await check('permit(principal, action, resource);')).toMatchObject([{ line: 1, column: 1 }]);
    expect((await attempts()).length).toBe(before);
  });
  it('in force that cannot be used refuses every right, and the shared pair fixes it', async () => {
    const holder = await here.holder('administrateur-d-instance');
    await here.database.sql`
      insert into authorization_policies (revision, cedar, author)
      values ((select max(revision) + 1 from authorization_policies), 'permit(principal, action, resource);', 'behind our back')`;
    expect((await holder.get('/api/providers')).status).toBe(503);
    expect(here.faults.join('\n')).toContain('permits');
    expect((await here.pair.post('/api/policies/lift', {})).status).toBe(201);
    expect((await holder.get('/api/providers')).status).toBe(200);
  });
  it('in force is read again where another one bears its number, as in a restored database', async () => {
    const holder = await here.holder('administrateur-d-instance');
    const { json } = await install(HARMLESS);
    expect((await holder.get('/api/providers')).status).toBe(200);
    await here.database.sql`delete from authorization_policies where revision = ${json.revision}`;
    await here.database.sql`
      insert into authorization_policies (revision, cedar, author)
      values (${json.revision}, 'forbid(principal, action, resource);', 'another')`;
    expect((await holder.get('/api/providers')).status).toBe(403);
    expect((await here.pair.post('/api/policies/lift', {})).status).toBe(201);
    expect((await holder.get('/api/providers')).status).toBe(200);
  });
});
