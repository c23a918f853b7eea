import { createSigner, generateSigningKey } from '@gateway/ledger';
import { v7 as uuid } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { violationOf } from '../client/conditions.ts';
import { connect, parseDatabaseAddress } from '../client/connect.ts';
import {
  type Administering,
  aDecision,
  administering,
  createTestDatabase,
  type TestDatabase,
  verdictOn,
} from '../testing/index.ts';
import { createDecisionLog } from './decision-log.ts';
import {
  finishArchive,
  listArchives,
  readExpiredDecisions,
  recordArchive,
  removeDecisions,
  removeRows,
  withArchivingTurn,
} from './owner.ts';

let database: TestDatabase;
let administer: Administering;
beforeAll(async () => {
  database = await createTestDatabase();
  administer = administering(database.sql);
});
afterAll(() => database.drop());

const SHA256 = 'ab'.repeat(32);

describe('the turn of archiving', () => {
  it('is given to one at a time, and to the next one once it is over', async () => {
    const { sql } = database;
    const inner = await withArchivingTurn(sql, () => withArchivingTurn(sql, async () => 'both'));
    expect(inner).toBeNull();
    expect(await withArchivingTurn(sql, async () => 'next')).toBe('next');
  });

  it('is free again after an archiving that failed', async () => {
    const failing = withArchivingTurn(database.sql, async () => {
      throw new Error('the disk is full');
    });
    await expect(failing).rejects.toThrow('the disk is full');
    expect(await withArchivingTurn(database.sql, async () => 'next')).toBe('next');
  });

  it('is free again where the program that had it ended without a word', async () => {
    const ending = connect(parseDatabaseAddress(database.ownerUrl), { max: 1 });
    const connection = await ending.reserve();
    const [held] = await connection<{ pid: number }[]>`
      select pg_backend_pid() as pid, pg_advisory_lock(727005)::text as taken`;
    expect(await withArchivingTurn(database.sql, async () => 'meanwhile')).toBeNull();
    await database.sql`select pg_terminate_backend(${held?.pid ?? 0}, 60000)`;
    expect(await withArchivingTurn(database.sql, async () => 'next')).toBe('next');
    connection.release();
    await ending.end({ timeout: 1 });
  });

  it('returns its connection each time', async () => {
    const narrow = connect(parseDatabaseAddress(database.ownerUrl), { max: 2 });
    for (let turn = 0; turn < 5; turn += 1) {
      expect(await withArchivingTurn(narrow, async () => (await narrow`select 1 as one`)[0]?.['one'])).toBe(1);
    }
    await narrow.end();
  });
});

const usageArchive = (file: string) => ({ file, log: 'usage', entries: 3, sha256: SHA256 }) as const;

describe('an archive', () => {
  it('is recorded with an act, and listed as not yet removed', async () => {
    const { entries } = await administer((act) => recordArchive(act, usageArchive('usage-1.jsonl'), null), 'ada');
    expect(entries).toEqual([
      {
        author: 'ada',
        action: 'log.archive',
        target: 'log:usage',
        before: null,
        after: { file: 'usage-1.jsonl', entries: 3, sha256: SHA256 },
      },
    ]);
    const [archive] = await listArchives(database.sql);
    expect(archive).toMatchObject({ ...usageArchive('usage-1.jsonl'), first: null, last: null, removedAt: null });
  });

  it('is marked as removed, and no other is', async () => {
    await administer((act) => recordArchive(act, usageArchive('usage-2.jsonl'), null));
    await finishArchive(database.sql, usageArchive('usage-1.jsonl'));
    const listed = await listArchives(database.sql);
    expect(listed.map(({ file, removedAt }) => [file, removedAt !== null])).toEqual([
      ['usage-1.jsonl', true],
      ['usage-2.jsonl', false],
    ]);
  });

  it('is recorded once: a second one of the same file is refused', async () => {
    const again = administer((act) => recordArchive(act, usageArchive('usage-1.jsonl'), null)).catch(violationOf);
    expect(await again).toEqual({ kind: 'taken', constraint: 'log_archives_pkey' });
  });

  it('of decisions is refused without the place where the chain goes on', async () => {
    const archive = { ...usageArchive('decisions-0.jsonl'), log: 'decisions' } as const;
    const refused = administer((act) => recordArchive(act, archive, null)).catch(violationOf);
    expect(await refused).toEqual({ kind: 'check', constraint: 'chained' });
  });
});

describe('archived decisions', () => {
  it('are removed from first to last, and the rest of the chain verifies', async () => {
    const log = createDecisionLog({
      address: parseDatabaseAddress(database.gatewayUrl),
      signer: createSigner(generateSigningKey()),
      budgetMs: 60_000,
    });
    for (let entry = 0; entry < 6; entry += 1) await log.append(aDecision());
    const span = await readExpiredDecisions(database.sql, new Date(Date.now() + 60_000), 4n);
    if (span === null) throw new Error('each entry was appended alone, so that all are signed');
    const archive = { file: 'decisions-1.jsonl', log: 'decisions', entries: 4, sha256: SHA256 } as const;
    const { entries } = await administer((act) => recordArchive(act, archive, span));
    expect(entries).toMatchObject([{ after: { first: 1, last: 4, digest: span.digest } }]);
    expect(await verdictOn(database.sql, 'authorization_decisions')).toMatchObject({ ok: true });
    await removeDecisions(database.sql, 1n, 4n);
    await finishArchive(database.sql, archive);
    const left = await database.sql`select sequence::int as sequence from authorization_decisions order by sequence`;
    expect(left.map(({ sequence }) => sequence)).toEqual([5, 6]);
    expect(await verdictOn(database.sql, 'authorization_decisions')).toMatchObject({ ok: true });
    await log.append(aDecision());
    expect(await verdictOn(database.sql, 'authorization_decisions')).toMatchObject({ ok: true });
    log.close();
    expect((await listArchives(database.sql)).find(({ file }) => file === archive.file)).toMatchObject({
      first: 1n,
      last: 4n,
    });
  });

  it('of more than one transaction are removed to the last, and no further', async () => {
    const empty = Buffer.alloc(32);
    await database.sql`
      insert into authorization_decisions (sequence, id, at, component, credential, permission, resource, outcome, reason, status,
        roles, previous, digest)
      select n, gen_random_uuid(), now(), 'gateway', 'none', 'p', 'r', 'granted', 'role', 200, '{}', ${empty}, ${empty}
      from generate_series(100001, 110003) n`;
    await removeDecisions(database.sql, 100_001n, 110_002n);
    const left =
      await database.sql`select sequence::int as sequence from authorization_decisions where sequence > 100000`;
    expect([...left]).toEqual([{ sequence: 110_003 }]);
  });

  it('that were removed already are removed again without an error, as after an interruption', async () => {
    await removeDecisions(database.sql, 1n, 4n);
    await removeDecisions(database.sql, 9n, 4n);
    expect(await database.sql`select from authorization_decisions where sequence = 5`).toHaveLength(1);
  });
});

it('removes the rows with these ids alone', async () => {
  const ids = [uuid(), uuid(), uuid()];
  await database.sql`
    insert into agent_acts (id, session, subject, at, tool, target_kind, target_value, authorized_by, outcome)
    select id, 's', 'ada', now(), 't', 'path', '/', 'policy', 'succeeded' from unnest(${ids}::text[]::uuid[]) id`;
  await removeRows(database.sql, 'acts', ids.slice(0, 2));
  await removeRows(database.sql, 'acts', []);
  expect(await database.sql`select id from agent_acts`).toMatchObject([{ id: ids[2] }]);
});
