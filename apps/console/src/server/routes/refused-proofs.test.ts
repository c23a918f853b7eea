import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestConsole, type TestConsole, unique } from '../../testing/console.ts';

let here: TestConsole;
beforeAll(async () => {
  here = await startTestConsole();
});
afterAll(() => here.stop());

/** The reasons for which the decision log records a request. */
async function reasonsOf(requestId: string): Promise<{ reason: string; subject: string | null }[]> {
  const { json } = await here.pair.get(`/api/audit/decisions?requestId=${requestId}`);
  return json.decisions.map(({ reason, subject }: { reason: string; subject: string | null }) => ({ reason, subject }));
}

describe('a proof that is refused', () => {
  it.each(['/api/providers', '/api/plans', '/api/users', '/', '/api/nothing', '/nothing'])(
    'is in the decision log, for every requested address: %s',
    async (path) => {
      const requestId = unique('request');
      const guess = here.withHeaders({ authorization: `Basic ${btoa('operator:guess')}`, 'x-request-id': requestId });
      expect((await guess.get(path)).status).toBe(401);
      await expect.poll(() => reasonsOf(requestId)).toEqual([{ reason: 'key-unknown', subject: null }]);
    },
  );
  const unknownKey = `gwk_${'0123456789abcdef'.repeat(3)}`;
  it.each([
    ['key', { authorization: `Bearer ${unknownKey}` }],
    ['key', { authorization: 'Bearer x' }],
    ['key', { 'x-api-key': unknownKey }],
    ['key', { authorization: `Basic ${btoa(`ada:${unknownKey}`)}` }],
    ['none', { authorization: `Basic ${btoa('operator:guess')}` }],
    ['none', { authorization: 'Digest x' }],
  ])('is recorded as the kind of proof it was shown as: %s for %o', async (credential, headers) => {
    const requestId = unique('request');
    expect((await here.withHeaders({ ...headers, 'x-request-id': requestId }).get('/api/providers')).status).toBe(401);
    const entries = async () => (await here.pair.get(`/api/audit/decisions?requestId=${requestId}`)).json.decisions;
    await expect.poll(entries).toMatchObject([{ credential, keyId: null, subject: null }]);
  });
  it('records the subject that it named', async () => {
    const holder = await here.holder('administrateur-d-instance');
    await here.pair.patch(`/api/users/${holder.id}`, { enabled: false });
    const requestId = unique('request');
    expect((await holder.get('/api/plans', { 'x-request-id': requestId })).status).toBe(401);
    const entry = { reason: 'account-disabled', subject: holder.username };
    await expect.poll(() => reasonsOf(requestId)).toEqual([entry]);
  });
});

describe('what only the shared pair opens', () => {
  it('leaves an entry of others who asked for it', async () => {
    const holder = await here.holder('administrateur-d-instance');
    const requestId = unique('request');
    expect((await holder.post('/api/users', {}, { 'x-request-id': requestId })).status).toBe(403);
    const entry = { reason: 'shared-pair-only', subject: holder.username };
    await expect.poll(() => reasonsOf(requestId)).toEqual([entry]);
  });
});

describe('callers without a proof, or with a good one', () => {
  it('leaves no refusal', async () => {
    const requestId = unique('request');
    const headers = { 'x-request-id': requestId };
    expect((await here.nobody.get('/api/plans', headers)).status).toBe(401);
    expect((await here.nobody.get('/nothing', headers)).status).toBe(401);
    expect((await here.pair.get('/api/plans', headers)).status).toBe(200);
    // Entries are appended in turn: this one comes after any of those.
    const last = unique('request');
    expect((await here.withHeaders({ 'x-api-key': 'x', 'x-request-id': last }).get('/api/plans')).status).toBe(401);
    await expect.poll(() => reasonsOf(last)).toHaveLength(1);
    expect(await reasonsOf(requestId)).toEqual([]);
  });
});
