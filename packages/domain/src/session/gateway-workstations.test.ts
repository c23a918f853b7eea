import { hash, randomUUID } from 'node:crypto';
import { parseDatabaseAddress } from '@gateway/database';
import { anAct, createTestDatabase, type TestDatabase } from '@gateway/database/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorkstations, type Workstations } from './gateway-workstations.ts';

let database: TestDatabase;
let one: Workstations;
let other: Workstations;

beforeAll(async () => {
  database = await createTestDatabase();
  const address = parseDatabaseAddress(database.gatewayUrl);
  one = createWorkstations({ address, budgetMs: 5000 });
  other = createWorkstations({ address, budgetMs: 5000 });
});
afterAll(async () => {
  one.close();
  other.close();
  await database.drop();
});

const AUTHOR = 'workstation at 10.0.0.1';
const acts = (count: number) => Array.from({ length: count }, () => anAct());
const revoke = (session: string) =>
  database.sql`insert into agent_session_revocations (session, reason, author) values (${session}, 'r', 'a')`;

/** A name of so many characters of four bytes each, which does not get shorter by compression. */
const widest = (characters: number, salt: string) =>
  Array.from({ length: characters }, (_, index) =>
    String.fromCodePoint(0x10000 + Number.parseInt(hash('sha256', `${salt}${index}`).slice(0, 4), 16)),
  ).join('');

describe('acts', () => {
  it('are stored as sent', async () => {
    const awkward = anAct({
      session: 'é "{}\\, NULL',
      parentSession: 'NULL',
      at: '2026-01-31T12:00:00+02:00',
      target: { kind: 'command', value: 'git commit -m "one\ntwo" \\' },
      reason: '🔒'.repeat(300),
    });
    expect(await one.storeActs([awkward, anAct()], AUTHOR)).toBe(2);
    const [row] = await database.sql`select * from agent_acts where id = ${awkward.id}`;
    expect(row).toMatchObject({
      session: awkward.session,
      parent_session: 'NULL',
      at: new Date('2026-01-31T10:00:00Z'),
      target_kind: 'command',
      target_value: awkward.target.value,
      reason: awkward.reason,
    });
    const [plain] = await database.sql`select * from agent_acts where session = 'one'`;
    expect(plain).toMatchObject({ parent_session: null, reason: null });
  });
  it('may have the longest values there are', async () => {
    const longest = anAct({
      session: widest(300, 'session'),
      parentSession: widest(300, 'parent'),
      subject: widest(400, 'subject'),
      tool: widest(200, 'tool'),
      target: { kind: 'command', value: widest(8192, 'target') },
      reason: widest(300, 'reason'),
    });
    expect(await one.storeActs([longest], AUTHOR)).toBe(1);
    const [row] = await database.sql`select session, subject from agent_acts where id = ${longest.id}`;
    expect(row).toEqual({ session: longest.session, subject: longest.subject });
  });
  it('are stored once, even if they are sent again', async () => {
    const batch = acts(5);
    expect(await one.storeActs(batch.slice(0, 2), AUTHOR)).toBe(2);
    expect(await one.storeActs(batch, AUTHOR)).toBe(3);
    expect(await one.storeActs(batch, AUTHOR)).toBe(0);
    const [first] = batch;
    expect(await one.storeActs([anAct(), ...(first === undefined ? [] : [first, first])], AUTHOR)).toBe(1);
    expect(await one.storeActs([], AUTHOR)).toBe(0);
  });
  it('that occur twice in one batch are stored once', async () => {
    const twice = anAct();
    expect(await one.storeActs([twice, twice, anAct()], AUTHOR)).toBe(2);
  });
  it('are stored once, for any number of concurrent gateways', async () => {
    const batch = acts(500);
    const turned = [...batch].reverse();
    const stored = await Promise.all(
      [one, other, one, other].map((by, index) => by.storeActs(index % 2 ? batch : turned, AUTHOR)),
    );
    expect(stored.reduce((sum, count) => sum + count, 0)).toBe(500);
  });
  it('of a batch that the database refuses are not stored at all', async () => {
    const good = anAct();
    await expect(one.storeActs([good, anAct({ reason: 'r'.repeat(301) })], AUTHOR)).rejects.toMatchObject({
      name: 'DatabaseUnavailable',
    });
    expect(await one.storeActs([good], AUTHOR)).toBe(1);
  });
});

describe('the standing of a session', () => {
  it('is in force until it is revoked', async () => {
    expect(await one.sessionRevokedAt('nobody knows it')).toBeNull();
  });
  it('is revoked with every session above it, to the last generation', async () => {
    await one.storeActs(
      [anAct({ session: 'child', parentSession: 'root' }), anAct({ session: 'grandchild', parentSession: 'child' })],
      AUTHOR,
    );
    await revoke('root');
    const [row] = await database.sql`select revoked_at from agent_session_revocations where session = 'root'`;
    for (const session of ['root', 'child', 'grandchild']) {
      expect(await one.sessionRevokedAt(session)).toEqual(row?.['revoked_at']);
    }
    await one.storeActs([anAct({ session: 'late', parentSession: 'grandchild' })], AUTHOR);
    expect(await other.sessionRevokedAt('late')).toEqual(row?.['revoked_at']);
    await revoke('grandchild');
    expect(await one.sessionRevokedAt('late'), 'the first of its line').toEqual(row?.['revoked_at']);
  });
  it('is untouched by a session below it, and survives a circle', async () => {
    await one.storeActs(
      [
        anAct({ session: 'left', parentSession: 'right' }),
        anAct({ session: 'right', parentSession: 'left' }),
        anAct({ session: 'self', parentSession: 'self' }),
        anAct({ session: 'below', parentSession: 'self' }),
      ],
      AUTHOR,
    );
    await revoke('below');
    expect(await one.sessionRevokedAt('self')).toBeNull();
    expect(await one.sessionRevokedAt('left')).toBeNull();
    expect(await database.sql`select from agent_session_lineage where session = parent_session`).toHaveLength(0);
  });
  it('is also learnt from acts that are already stored', async () => {
    const known = anAct({ session: 'orphan' });
    await one.storeActs([known], AUTHOR);
    await one.storeActs([{ ...known, parentSession: 'root' }], AUTHOR);
    expect(await one.sessionRevokedAt('orphan')).not.toBeNull();
  });
  it('is never returned while it cannot be read', async () => {
    const held = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    const locked = database.sql.begin(async (sql) => {
      await sql`lock table agent_session_revocations in access exclusive mode`;
      held.resolve();
      await release.promise;
    });
    await held.promise;
    await expect(one.sessionRevokedAt('root')).rejects.toMatchObject({ name: 'DatabaseUnavailable' });
    release.resolve();
    await locked;
    expect(await one.sessionRevokedAt('root')).not.toBeNull();
  });
});

describe('the policy of an organization', () => {
  it('is null for an unknown organization, and empty where it has no policy', async () => {
    expect(await one.policyOf('acme')).toBeNull();
    await database.sql`insert into organizations (id, slug, name) values (${randomUUID()}, 'acme', 'Acme')`;
    expect(await one.policyOf('acme')).toEqual({
      revision: null,
      producedAt: null,
      validFrom: null,
      validUntil: null,
      policy: null,
    });
  });
  it('is the newest one, for any validity', async () => {
    const id = randomUUID();
    const [from, until] = [new Date('2020-01-01T00:00:00Z'), new Date('2021-01-01T00:00:00Z')];
    await database.sql`insert into organizations (id, slug, name) values (${id}, 'other', 'Other')`;
    await database.sql`insert into organization_policies (organization_id, revision, document, author, valid_from, valid_until)
      values (${id}, 1, '{}', 'a', null, null), (${id}, 2, '{"tools": {"exclude": ["shell"]}}', 'a', ${from}, ${until})`;
    expect(await one.policyOf('other')).toEqual({
      revision: 2,
      producedAt: expect.any(Date),
      validFrom: from,
      validUntil: until,
      policy: { tools: { exclude: ['shell'] } },
    });
  });
});
