import { aDecision } from '@gateway/database/testing';
import { v7 as uuid } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../../testing/client.ts';
import { startTestConsole, type TestConsole } from '../../testing/console.ts';

let here: TestConsole;
let auditor: Client;
const { id: decision } = aDecision();
beforeAll(async () => {
  here = await startTestConsole();
  auditor = await here.holder('auditeur');
  const { sql } = here.database;
  await sql`
    insert into authorization_decisions (sequence, id, at, component, subject, credential, permission, resource, outcome, reason,
      status, roles, previous, digest)
    values (1000000, ${decision}, now(), 'gateway', 'ada', 'key', 'inference:appeler', 'endpoint:chat', 'refused',
      'secret-detected', 403, '{}', ${Buffer.alloc(32)}, ${Buffer.alloc(32)})`;
  await sql`
    insert into secret_detections (id, at, decision_id, place, kind, rule, confidence, response, pointer, start_offset, end_offset,
      length, digest, occurrences)
    select gen_random_uuid(), timestamptz '2026-01-01' + n * interval '1 second', ${decision},
      (array['request', 'answer', 'output'])[1 + n % 3], case when n % 2 = 0 then 'github-token' else 'private-key' end, 'r-' || n,
      'high', 'block', '/messages/0/content', n, n + 40, 40, sha256('x'), 1
    from generate_series(0, 8) n`;
});
afterAll(() => here.stop());

const list = async (query: string): Promise<{ rule: string }[]> =>
  (await auditor.get(`/api/audit/detections?${query}`)).json.detections;
const rules = async (query: string) => (await list(query)).map(({ rule }) => rule);

describe('the detections', () => {
  it('show kind, position and subject, and never the value', async () => {
    const [newest] = await list('limit=1');
    expect(newest).toEqual({
      id: expect.any(String),
      at: '2026-01-01T00:00:08.000Z',
      decisionId: decision,
      subject: 'ada',
      resource: 'endpoint:chat',
      place: 'output',
      kind: 'github-token',
      rule: 'r-8',
      confidence: 'high',
      response: 'block',
      pointer: '/messages/0/content',
      start: 8,
      end: 48,
      length: 40,
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      occurrences: 1,
    });
  });
  it('are filtered by kind, place, response, decision and period', async () => {
    expect(await rules('kind=private-key')).toEqual(['r-7', 'r-5', 'r-3', 'r-1']);
    expect(await rules('place=answer')).toEqual(['r-7', 'r-4', 'r-1']);
    expect(await rules('response=mask')).toEqual([]);
    expect(await rules(`decision=${uuid()}`)).toEqual([]);
    expect(await rules(`decision=${decision}&place=answer&kind=github-token`)).toEqual(['r-4']);
    expect(await rules('from=2026-01-01T00:00:03Z&until=2026-01-01T00:00:05Z')).toEqual(['r-4', 'r-3']);
  });
  it('are read page by page, and exported as a file', async () => {
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { json } = await auditor.get(`/api/audit/detections?limit=4${cursor && `&cursor=${cursor}`}`);
      seen.push(...json.detections.map(({ rule }: { rule: string }) => rule));
      cursor = json.next;
    }
    expect(seen).toEqual(['r-8', 'r-7', 'r-6', 'r-5', 'r-4', 'r-3', 'r-2', 'r-1', 'r-0']);
    const { text } = await auditor.get('/api/audit/detections?format=csv&kind=private-key');
    expect(text.trimEnd().split('\r\n')).toHaveLength(5);
  });
  it('are the auditor’s to read', async () => {
    const administrator = await here.holder('administrateur-d-instance');
    expect((await administrator.get('/api/audit/detections')).status).toBe(403);
    expect((await here.nobody.get('/api/audit/detections')).status).toBe(401);
  });
});
