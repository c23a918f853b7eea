import { randomUUID } from 'node:crypto';
import { migrate, parseDatabaseAddress, readMigrations } from '@gateway/database';
import { anAct, createEmptyDatabase, type TestDatabase } from '@gateway/database/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createWorkstations } from './gateway-workstations.ts';
import { revokedAt } from './lineage.ts';

const BEFORE = readMigrations().filter(({ number }) => number < 26);
let database: TestDatabase;

beforeEach(async () => {
  database = await createEmptyDatabase();
  await migrate(database.ownerUrl, BEFORE);
});
afterEach(() => database.drop());

const revoke = (session: string) =>
  database.sql`insert into agent_session_revocations (session, reason, author) values (${session}, 'r', 'a')`;
const isRevoked = async (subject: string, session: string): Promise<boolean> => {
  const [row] = await database.sql.unsafe(`select ${revokedAt('$1::text', '$2::text')} is not null as revoked`, [
    subject,
    session,
  ]);
  return row?.['revoked'] === true;
};

/** As the gateways of the version before record them. */
const oldCommand = (subject: string, session: string, parent: string) => database.sql`
  with line as (
    insert into agent_session_parents (session, parent_session) values (${session}, ${parent}) on conflict do nothing
  )
  insert into agent_commands (id, subject, session, interpreter, started_at)
  values (${randomUUID()}, ${subject}, ${session}, 'sh', now())`;
const oldAct = (subject: string, session: string, parent: string) => database.sql`
  with line as (
    insert into agent_session_parents (session, parent_session) values (${session}, ${parent}) on conflict do nothing
  )
  insert into agent_acts (id, session, parent_session, subject, at, tool, target_kind, target_value, authorized_by, outcome)
  values (${randomUUID()}, ${session}, ${parent}, ${subject}, now(), 't', 'path', 'p', 'policy', 'succeeded')`;

it('keeps what was stated before the migration: the first parent of each subject, and no session is freed', async () => {
  await oldAct('ada', 'child', 'root');
  await oldAct('ada', 'child', 'other');
  await oldCommand('bob', 'of-bob', 'root');
  await oldCommand('eve', 'two-parents', 'in-force');
  await oldCommand('eve', 'two-parents', 'root');
  await oldAct('x'.repeat(400), 'of-nobody', 'root');
  await revoke('root');
  await migrate(database.ownerUrl);
  const rows =
    await database.sql`select subject, session, parent_session as parent from agent_session_lineage order by 1`;
  expect([...rows]).toEqual([
    { subject: 'ada', session: 'child', parent: 'root' },
    { subject: 'bob', session: 'of-bob', parent: 'root' },
    { subject: 'eve', session: 'two-parents', parent: 'root' },
  ]);
  expect(await isRevoked('eve', 'two-parents')).toBe(true);
});

it('takes over statements of gateways of the previous version, only for the stating subject', async () => {
  await migrate(database.ownerUrl);
  await oldCommand('bob', 'shared', 'of-bob');
  await oldCommand('ada', 'shared', 'of-ada');
  await oldAct('eve', 'acting', 'of-eve');
  for (const session of ['of-bob', 'of-eve']) await revoke(session);
  expect(await isRevoked('bob', 'shared')).toBe(true);
  expect(await isRevoked('ada', 'shared')).toBe(false);
  expect(await isRevoked('eve', 'acting')).toBe(true);
});

it('shows gateways of the previous version what is stated now, and by which subject', async () => {
  await migrate(database.ownerUrl);
  const workstations = createWorkstations({ address: parseDatabaseAddress(database.gatewayUrl), budgetMs: 5000 });
  await workstations.storeActs(
    [anAct({ subject: 'ada', session: 'child', parentSession: 'root' })],
    'workstation at ::1',
  );
  workstations.close();
  expect([...(await database.sql`select session, parent_session from agent_session_parents`)]).toEqual([
    { session: 'child', parent_session: 'root' },
  ]);
  expect([...(await database.sql`select author from agent_session_lineage`)]).toEqual([
    { author: 'workstation at ::1' },
  ]);
});

// workstation-11
it('follows the one parent of each session, over 32 generations and never in a circle', async () => {
  await migrate(database.ownerUrl);
  const chain = Array.from({ length: 40 }, (_, index) => ({
    subject: 'ada',
    session: `s-${index + 1}`,
    parent_session: `s-${index}`,
    author: 'ada',
  }));
  await database.sql`insert into agent_session_lineage ${database.sql(chain)}`;
  await expect(
    database.sql`insert into agent_session_lineage ${database.sql({ ...chain[0], parent_session: 'another' })}`,
  ).rejects.toMatchObject({ code: '23505' });
  await revoke('s-0');
  expect(await isRevoked('ada', 's-32')).toBe(true);
  expect(await isRevoked('ada', 's-33')).toBe(false);
  expect(await isRevoked('bob', 's-1')).toBe(false);
  const circle = [
    { subject: 'bob', session: 'r-1', parent_session: 'r-2', author: 'bob' },
    { subject: 'bob', session: 'r-2', parent_session: 'r-1', author: 'bob' },
  ];
  await database.sql`insert into agent_session_lineage ${database.sql(circle)}`;
  expect(await isRevoked('bob', 'r-1')).toBe(false);
});
