import { appendAdministrationAction } from '@gateway/database';
import { operate } from '@gateway/database/audit-log/act';
import { finishArchive, readExpiredDecisions, recordArchive, removeDecisions } from '@gateway/database/audit-log/owner';
import { createSigner, generateSigningKey } from '@gateway/ledger';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../../testing/client.ts';
import { startTestConsole, type TestConsole, unique } from '../../testing/console.ts';

let here: TestConsole;
let auditor: Client;
beforeAll(async () => {
  here = await startTestConsole();
  auditor = await here.holder('auditeur');
  for (let n = 0; n < 5; n += 1) await here.pair.create('/api/plans', { slug: unique('p'), name: 'p', monthlyCap: n });
});
afterAll(() => here.stop());

const verify = async (body: object) => {
  const { text } = await auditor.post('/api/audit/verification', body);
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
};
/** As the owner, who has every privilege. */
async function tampered(statement: string, undo: string, look: () => Promise<void>) {
  await here.database.sql.unsafe(statement);
  await look();
  await here.database.sql.unsafe(undo);
}

it('what a verification found is in the overview', async () => {
  const last = async () => (await here.pair.get('/api/overview')).json.lastVerification;
  expect(await last()).toBeNull();
  const verdict = (await verify({ chain: 'administration-actions' })).at(-1);
  expect(await last()).toMatchObject({
    chain: 'administration-actions',
    entries: verdict?.['entries'],
    brokenAt: null,
  });
});

describe('the verification', () => {
  it('finds both logs whole, and shows how far it is', async () => {
    const lines = await verify({ chain: 'administration-actions' });
    expect(lines[0]).toEqual({ verified: 0, total: expect.any(Number) });
    expect(lines.at(-1)).toEqual({
      result: 'whole',
      entries: lines[0]?.['total'],
      keys: [
        {
          fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
          component: 'console',
          endorsed: true,
          endorsedBy: null,
          first: 1,
          last: lines[0]?.['total'],
        },
      ],
    });
    expect((await verify({})).at(-1)).toMatchObject({ result: 'whole' });
  });
  it('names the entry that was changed', async () => {
    const set = (text: string) => `update administration_actions set author = '${text}' where sequence = 3`;
    await tampered(set('somebody'), set('shared-pair'), async () => {
      expect((await verify({ chain: 'administration-actions' })).at(-1)).toEqual({
        result: 'broken',
        fault: 'digest',
        sequence: 3,
        sentence: expect.stringContaining('Entry 3'),
        keys: [expect.objectContaining({ endorsed: true })],
      });
    });
    expect((await verify({ chain: 'administration-actions' })).at(-1)).toMatchObject({ result: 'whole' });
  });
  it('names the entry that is missing', async () => {
    await tampered(
      'create table kept as select * from administration_actions where sequence = 2; delete from administration_actions where sequence = 2',
      'insert into administration_actions select * from kept; drop table kept',
      async () => {
        expect((await verify({ chain: 'administration-actions' })).at(-1)).toMatchObject({
          fault: 'sequence',
          sequence: 2,
        });
      },
    );
  });
  it('finds a log that was truncated after a checkpoint', async () => {
    const { checkpoint } = (await auditor.get('/api/audit/checkpoint')).json;
    expect(checkpoint).toContain('administration_actions');
    const body = { chain: 'administration-actions', checkpoint };
    expect((await verify(body)).at(-1)).toMatchObject({ result: 'whole' });
    const [end] = await here.database.sql`select max(sequence) as last from administration_actions`;
    const last = String(end?.['last']);
    const cut = (table: string) => `create table kept_${table} as select * from ${table} where sequence = ${last};
      delete from ${table} where sequence = ${last};`;
    const restore = (table: string) => `insert into ${table} select * from kept_${table}; drop table kept_${table};`;
    const tables = ['administration_actions', 'administration_action_seals'];
    await tampered(tables.map(cut).join(''), tables.map(restore).join(''), async () => {
      expect((await verify({ chain: 'administration-actions' })).at(-1)).toMatchObject({ result: 'whole' });
      expect((await verify(body)).at(-1)).toMatchObject({ result: 'broken', fault: 'truncated' });
    });
  });
  it('trusts its own checkpoint, also where this console has sealed nothing before', async () => {
    const fresh = await startTestConsole();
    const { checkpoint } = (await fresh.pair.get('/api/audit/checkpoint')).json;
    const { status, text } = await fresh.pair.post('/api/audit/verification', { checkpoint });
    expect([status, text]).toEqual([200, expect.stringContaining('"result":"whole"')]);
    await fresh.stop();
  });
  it.each(['no note', 'gateway journal checkpoint 1\n'])(
    'refuses a checkpoint that is none: %j',
    async (checkpoint) => {
      const reply = await auditor.post('/api/audit/verification', { checkpoint });
      expect([reply.status, Object.keys(reply.json.fields)]).toEqual([400, ['checkpoint']]);
    },
  );
  it('refuses a checkpoint whose text was changed', async () => {
    const { checkpoint } = (await auditor.get('/api/audit/checkpoint')).json;
    const reply = await auditor.post('/api/audit/verification', { checkpoint: checkpoint.replace(/chain/, 'chain ') });
    expect(reply.status).toBe(400);
  });
  it('can be done elsewhere: the public keys are shown', async () => {
    const { signingKeys } = (await auditor.get('/api/audit/signing-keys')).json;
    expect(signingKeys).toEqual([
      { id: expect.stringMatching(/^[0-9a-f]{64}$/), publicKey: expect.stringContaining('BEGIN PUBLIC KEY') },
    ]);
  });
  it('accepts the pasted keys alone, where some are given', async () => {
    const body = { chain: 'administration-actions' };
    const { signingKeys } = (await auditor.get('/api/audit/signing-keys')).json;
    const own = { ...body, publicKeys: signingKeys[0].publicKey as string };
    expect((await verify(own)).at(-1)).toMatchObject({ result: 'whole' });
    const other = { ...body, publicKeys: createSigner(generateSigningKey()).publicKey };
    expect((await verify(other)).at(-1)).toMatchObject({ result: 'broken', fault: 'key' });
    const none = await auditor.post('/api/audit/verification', { ...body, publicKeys: 'no key' });
    expect([none.status, Object.keys(none.json.fields)]).toEqual([400, ['publicKeys']]);
  });
  it('raises no alarm at a key that is registered while it begins', async () => {
    const { sql } = here.database;
    const { verifying } = await sql.begin(async (transaction) => {
      await transaction`lock table administration_action_seals in access exclusive mode`;
      const started = verify({ chain: 'administration-actions' });
      await expect
        .poll(() => sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
        .toHaveLength(1);
      const act = {
        component: 'gatewayctl',
        author: 'a',
        action: 'x',
        target: 'y',
        oldValue: null,
        newValue: null,
      } as const;
      await appendAdministrationAction(transaction, act, createSigner(generateSigningKey()));
      return { verifying: started };
    });
    expect((await verifying).at(-1)).toMatchObject({ result: 'whole' });
  });
});

it('begins after the archived entries, and rejects an earlier checkpoint', async () => {
  const own = await startTestConsole();
  const reader = await own.holder('auditeur');
  const { checkpoint } = (await reader.get('/api/audit/checkpoint')).json;
  for (let reads = 0; reads < 3; reads += 1) await reader.get('/api/audit/checkpoint');
  const { sql } = own.database;
  const span = await readExpiredDecisions(sql, new Date('2200-01-01'), null);
  if (span === null) throw new Error('the console recorded no decision');
  const archive = { file: 'decisions-2026-01-1.jsonl', log: 'decisions', entries: 1, sha256: '0'.repeat(64) } as const;
  const operator = { author: 'root', signer: createSigner(generateSigningKey()) };
  await operate(sql, operator, (act) => recordArchive(act, archive, span));
  await removeDecisions(sql, 1n, span.last);
  await finishArchive(sql, archive);
  expect((await reader.post('/api/audit/verification', {})).text).toMatch(/"result":"whole","entries":[12],/);
  expect(await reader.post('/api/audit/verification', { checkpoint })).toMatchObject({
    status: 400,
    json: { fields: { checkpoint: expect.stringMatching(/which was archived/) as string } },
  });
  await own.stop();
});
