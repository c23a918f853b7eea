import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../../testing/client.ts';
import { startTestConsole, type TestConsole, unique } from '../../testing/console.ts';

let here: TestConsole;
let auditor: Client;
const ROWS = 1234;
beforeAll(async () => {
  here = await startTestConsole();
  auditor = await here.holder('auditeur');
  await here.database.sql`
    insert into agent_acts (id, session, subject, at, tool, target_kind, target_value, authorized_by, outcome, reason)
    select gen_random_uuid(), 's-' || n % 7, case when n % 2 = 0 then 'ada' else 'grace' end,
      timestamptz '2026-01-01' + n * interval '1 second', case when n % 3 = 0 then 'shell' else 'read_file' end, 'path', '/' || n,
      'policy', case when n % 10 = 0 then 'failed' else 'succeeded' end, case when n = 1 then '=cmd|"/c calc"!A1' end
    from generate_series(1, ${ROWS}) n`;
});
afterAll(() => here.stop());

const file = (query: string, accept = '*/*') => auditor.get(`/api/audit/agent-acts?${query}`, { accept });

describe('a list as a file', () => {
  it('is the whole of it as CSV', async () => {
    for (const reply of [await file('', 'text/csv'), await file('format=csv'), await file('', 'Text/CSV;q=0.9, */*')]) {
      expect(reply.headers.get('content-type')).toMatch(/^text\/csv/);
      expect(reply.headers.get('content-disposition')).toBe('attachment; filename="agentActs.csv"');
      const lines = reply.text.trimEnd().split('\r\n');
      expect(lines).toHaveLength(ROWS + 1);
      expect(lines[0]).toBe(
        'at,session,parentSession,subject,tool,target.kind,target.value,authorizedBy,outcome,reason,receivedAt,id',
      );
      expect(lines[1]).toMatch(/^2026-01-01T00:20:34\.000Z,s-2,,ada,read_file,path,\/1234,policy,succeeded,,/);
    }
  });
  it('marks UTF-8 with a byte order mark if requested by a link, and in the media type only for programs', async () => {
    const { key } = await here.holder('auditeur');
    const beginning = async (query: string, accept: string): Promise<string> => {
      const headers = { authorization: `Bearer ${key}`, accept };
      const answer = await fetch(`${here.base}/api/audit/agent-acts?${query}`, { headers });
      return Buffer.from(await answer.arrayBuffer()).toString('latin1', 0, 6);
    };
    expect(await beginning('format=csv', '*/*')).toBe('\xef\xbb\xbfat,');
    expect(await beginning('', 'text/csv')).toBe('at,ses');
    expect(await beginning('format=jsonl', '*/*')).toMatch(/^\{"/);
  });
  it('is the whole of it as JSON Lines', async () => {
    for (const reply of [await file('', 'application/x-ndjson'), await file('format=jsonl')]) {
      expect(reply.headers.get('content-type')).toBe('application/x-ndjson');
      const rows = reply.text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
      expect(rows).toHaveLength(ROWS);
      expect(rows[0]).toMatchObject({ at: '2026-01-01T00:20:34.000Z', target: { kind: 'path', value: '/1234' } });
    }
  });
  it('is what the filter chooses', async () => {
    const { text } = await file('format=jsonl&subject=ada&outcome=failed&tool=shell&until=2026-01-01T00:05:00Z');
    const numbers = text
      .trimEnd()
      .split('\n')
      .map((line) => Number(JSON.parse(line).target.value.slice(1)));
    expect(numbers).toEqual([270, 240, 210, 180, 150, 120, 90, 60, 30]);
  });
  it('runs no formula in a spreadsheet', async () => {
    const { text } = await file('format=csv&session=s-1&until=2026-01-01T00:00:02Z');
    expect(text).toContain(`,"'=cmd|""/c calc""!A1",`);
  });
  it('requires the right to export in addition to the right to read', async () => {
    const forbid = 'forbid(principal, action == Action::"journal:exporter", resource);';
    await here.pair.create('/api/policies', { cedar: forbid });
    const [read, taken] = [await file(''), await file('format=csv')];
    await here.pair.create('/api/policies/lift', {});
    expect([read.status, taken.status, taken.json?.error]).toEqual([
      200,
      403,
      expect.stringContaining('journal:exporter'),
    ]);
  });
  it('is refused in a form that is none', async () => {
    expect((await file('format=xml')).json.fields).toHaveProperty('format');
  });
  it('continues where a page ended', async () => {
    const page = await file('limit=500');
    const { text } = await file(`format=jsonl&cursor=${page.json.next}`);
    expect(text.trimEnd().split('\n')).toHaveLength(ROWS - 500);
  });
  it('leaves nothing behind when its reader leaves', async () => {
    await here.database.sql`
      insert into agent_acts (id, session, subject, at, tool, target_kind, target_value, authorized_by, outcome)
      select gen_random_uuid(), 's-large', 'ada', timestamptz '2025-01-01' + n * interval '1 second', 'read_file', 'path', repeat('x', 500), 'policy', 'succeeded'
      from generate_series(1, 60000) n`;
    const key = await here.holder('auditeur');
    for (let round = 0; round < 6; round += 1) {
      const leaving = new AbortController();
      const answer = await fetch(`${here.base}/api/audit/agent-acts?format=csv`, {
        headers: { authorization: `Bearer ${key.key}` },
        signal: leaving.signal,
      });
      await answer.body?.getReader().read();
      leaving.abort();
    }
    // Three connections are for files: were one lost each time, this would wait for ever.
    expect((await file('format=csv&session=s-1')).status).toBe(200);
  });
});

describe('the logs', () => {
  it('show each refused subject and action, and are filtered', async () => {
    const holder = await here.holder('utilisateur-standard');
    await holder.get('/api/providers', { 'x-request-id': 'request-7' });
    const { json } = await auditor.get(`/api/audit/decisions?subject=${holder.username}&outcome=refused`);
    expect(json.decisions).toMatchObject([
      {
        subject: holder.username,
        component: 'console',
        permission: 'fournisseurs:administrer',
        resource: 'instance',
        reason: 'role-missing',
        status: 403,
        roles: ['utilisateur-standard'],
        requestId: 'request-7',
        credential: 'key',
      },
    ]);
    for (const query of [
      'requestId=request-7',
      `permission=fournisseurs:administrer&reason=role-missing&subject=${holder.username}`,
    ]) {
      expect((await auditor.get(`/api/audit/decisions?${query}`)).json.decisions).toHaveLength(1);
    }
    expect((await auditor.get('/api/audit/decisions?from=2100-01-01T00:00:00Z')).json.decisions).toEqual([]);
  });
  it('name the policy that refused, which the caller does not see', async () => {
    const holder = await here.holder('administrateur-d-instance');
    await here.pair.create('/api/policies', {
      cedar: '@id("no providers today")\nforbid(principal, action == Action::"fournisseurs:administrer", resource);',
    });
    const { text } = await holder.get('/api/providers');
    await here.pair.create('/api/policies/lift', {});
    expect(text).not.toContain('today');
    const { json } = await auditor.get(`/api/audit/decisions?subject=${holder.username}`);
    expect(json.decisions).toMatchObject([
      { reason: 'policy-forbids', detail: expect.stringContaining('no providers today') },
    ]);
  });
  it('show old and new value and author of a change, and no key', async () => {
    const holder = await here.holder('administrateur-d-instance');
    const made = await holder.create('/api/providers', {
      slug: unique('p'),
      name: 'Old',
      baseUrl: 'https://e.example',
    });
    await holder.patch(`/api/providers/${made.id}`, { name: 'New' });
    await holder.delete(`/api/providers/${made.id}`);
    const { json } = await auditor.get(`/api/administration-actions?author=${holder.username}`);
    expect(json.administrationActions).toMatchObject([
      { action: 'provider.delete', target: `provider:${made.slug}`, oldValue: { name: 'New' }, newValue: null },
      { action: 'provider.change', oldValue: { name: 'Old' }, newValue: { name: 'New' } },
      { action: 'provider.create', oldValue: null, newValue: made, component: 'console' },
    ]);
    const { text } = await auditor.get('/api/administration-actions?limit=500');
    expect(text).not.toContain(holder.key.slice(4));
  });
  it('note no change that did not happen', async () => {
    const before = (await auditor.get('/api/administration-actions?limit=1')).json.administrationActions[0].sequence;
    await here.pair.post('/api/plans', { slug: 'a b', name: 'x', monthlyCap: 1 });
    const made = await here.pair.create('/api/plans', { slug: unique('plan'), name: 'x', monthlyCap: 1 });
    await here.pair.post('/api/plans', { slug: made.slug, name: 'x', monthlyCap: 1 });
    await here.pair.get('/api/plans');
    const after = (await auditor.get('/api/administration-actions?limit=1')).json.administrationActions[0].sequence;
    expect(after).toBe(before + 1);
  });
  it('note no change that changed nothing', async () => {
    const { pair } = here;
    const slug = unique('same');
    const plan = await pair.create('/api/plans', { slug, name: 'x', monthlyCap: 1 });
    const provider = await pair.create('/api/providers', { slug, name: 'x', baseUrl: 'https://e.example' });
    const prices = { inputPrice: 1e-7, outputPrice: 0 };
    const model = await pair.create('/api/models', { slug, name: 'x', provider: provider.id, ...prices });
    const endpoint = await pair.create('/api/endpoints', { name: slug, model: model.id });
    const user = await pair.create('/api/users', { username: slug, plan: plan.id });
    const newest = async () =>
      (await auditor.get('/api/administration-actions?limit=1')).json.administrationActions[0].sequence as number;
    const before = await newest();
    for (const [path, same] of [
      [`/api/plans/${plan.id}`, { monthlyCap: 1 }],
      [`/api/providers/${provider.id}`, { name: 'x' }],
      [`/api/models/${model.id}`, prices],
      [`/api/endpoints/${endpoint.id}`, { active: true, model: model.id }],
      [`/api/users/${user.id}`, { enabled: true, plan: plan.id }],
    ] as const) {
      expect((await pair.patch(path, same)).status).toBe(200);
      expect((await pair.patch(path, {})).status).toBe(200);
    }
    expect(await newest()).toBe(before);
    await pair.patch(`/api/plans/${plan.id}`, { monthlyCap: 2 });
    expect(await newest()).toBe(before + 1);
  });
  it('of a period are read page by page too, with every other filter', async () => {
    const from = new Date(Date.now() - 3_600_000).toISOString();
    const until = new Date(Date.now() + 3_600_000).toISOString();
    for (const [path, plural] of [
      ['/api/audit/decisions', 'decisions'],
      ['/api/administration-actions', 'administrationActions'],
      ['/api/audit/decisions', 'decisions'],
    ] as const) {
      const whole = (await auditor.get(`${path}?limit=500&until=${until}`)).json[plural] as { id: string }[];
      const seen: string[] = [];
      for (let cursor: string | null = ''; cursor !== null && seen.length < 12; ) {
        const { json } = await auditor.get(
          `${path}?from=${from}&until=${until}&limit=3${cursor && `&cursor=${cursor}`}`,
        );
        seen.push(...json[plural].map(({ id }: { id: string }) => id));
        cursor = json.next;
      }
      expect(new Set(seen).size).toBe(seen.length);
      // Each reading of the decision log adds to it, so the second reading may begin later.
      const known = seen.filter((id) => whole.some((row) => row.id === id));
      expect(known).toEqual(whole.map(({ id }) => id).slice(0, known.length));
      expect((await auditor.get(`${path}?until=${from}`)).json[plural]).toEqual([]);
    }
  });
  it('are read page by page without a gap while others append', async () => {
    const seen: number[] = [];
    for (let cursor: string | null = ''; cursor !== null && seen.length < 30; ) {
      const { json } = await auditor.get(`/api/audit/decisions?limit=10${cursor && `&cursor=${cursor}`}`);
      seen.push(...json.decisions.map(({ sequence }: { sequence: number }) => sequence));
      cursor = json.next;
    }
    expect(seen).toEqual(seen.map((_, place) => (seen[0] ?? 0) - place));
  });
  it('show one entry by its position, also as the filter of a file', async () => {
    const [newest] = (await auditor.get('/api/administration-actions?limit=1')).json.administrationActions;
    const one = await auditor.get(`/api/administration-actions?sequence=${newest.sequence}`);
    expect(one.json).toEqual({ administrationActions: [newest], next: null });
    expect((await auditor.get('/api/audit/decisions?sequence=999999999')).json.decisions).toEqual([]);
    for (const sequence of ['-1', '1.5', '', '1e3', '9'.repeat(16)]) {
      expect((await auditor.get(`/api/audit/decisions?sequence=${sequence}`)).json.fields).toEqual({
        sequence: 'must be a whole number',
      });
    }
  });
});
