import { PolicySetUnusable } from '@gateway/access';
import { createTestDatabase, type TestDatabase } from '@gateway/database/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createPolicyRevisions } from './services.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.sql`truncate authorization_policies`);
afterAll(() => database.drop());

const HARMLESS = 'forbid(principal == Subject::"nobody", action, resource);';

/** Installs a text, and returns its revision as a request finds it. */
async function installed(cedar: string, number = 1, at = '2030-01-01T00:00:00.000001Z') {
  await database.sql`
    insert into authorization_policies (revision, cedar, author, installed_at) values (${number}, ${cedar}, 'test', ${at}::text::timestamptz)`;
  const [row] = await database.sql<{ installedAt: string }[]>`
    select extract(epoch from installed_at)::text as "installedAt" from authorization_policies where revision = ${number}`;
  return { number, installedAt: row?.installedAt ?? '' };
}

describe('the compiled policy', () => {
  it('is none where no revision is in force', async () => {
    expect(await createPolicyRevisions().compiled(database.sql, null)).toBeNull();
  });
  it('is compiled once for any number of requests', async () => {
    const revisions = createPolicyRevisions();
    const revision = await installed(HARMLESS);
    const first = await revisions.compiled(database.sql, revision);
    // Its text is not even read again.
    await database.sql`truncate authorization_policies`;
    expect(await revisions.compiled(database.sql, { ...revision })).toBe(first);
  });
  it('is another one once a newer revision is in force, and the older one again after a restore', async () => {
    const revisions = createPolicyRevisions();
    const [one, two] = [await installed(HARMLESS), await installed(`${HARMLESS}\n${HARMLESS}`, 2)];
    const counts = [];
    for (const revision of [one, two, one]) counts.push((await revisions.compiled(database.sql, revision))?.length);
    expect(counts).toEqual([1, 2, 1]);
  });
  it('is distinguished by the instant of its installation, where another database has its number', async () => {
    const revisions = createPolicyRevisions();
    await revisions.compiled(database.sql, await installed(HARMLESS));
    await database.sql`truncate authorization_policies`;
    const other = await installed(`${HARMLESS}\n${HARMLESS}`, 1, '2030-01-01T00:00:00.000002Z');
    expect(await revisions.compiled(database.sql, other)).toHaveLength(2);
  });
  it('that is gone from the database is a fault, never a policy without restrictions', async () => {
    const revision = await installed(HARMLESS, 7);
    await database.sql`truncate authorization_policies`;
    await expect(createPolicyRevisions().compiled(database.sql, revision)).rejects.toThrow(
      'authorization policy 7 is in force but cannot be read',
    );
  });
  it('that cannot be used is a fault for every request, and does not replace the one before', async () => {
    const revisions = createPolicyRevisions();
    const good = await installed(HARMLESS);
    await revisions.compiled(database.sql, good);
    const bad = await installed('permit(principal, action, resource);', 2);
    for (let round = 0; round < 2; round += 1) {
      await expect(revisions.compiled(database.sql, bad)).rejects.toThrow(PolicySetUnusable);
    }
    expect(await revisions.compiled(database.sql, good)).toHaveLength(1);
  });
});
