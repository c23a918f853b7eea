import { parseDatabaseAddress } from '@gateway/database';
import { createLink, type Link } from '@gateway/database/client/link';
import { createTestDatabase, declaring, type TestDatabase } from '@gateway/database/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { registerOidcIdentity } from '../account/gateway.ts';
import { readPolicyText } from '../policy/gateway.ts';

let database: TestDatabase;
let link: Link;
const soon = () => performance.now() + 20_000;

beforeAll(async () => {
  database = await createTestDatabase();
  const address = parseDatabaseAddress(database.gatewayUrl);
  link = createLink({ address, applicationName: 'policy texts of the test', budgetMs: 5000 });
});
afterAll(async () => {
  link.cut();
  await database.drop();
});

describe('the text of a revision', () => {
  it('is read as installed', async () => {
    const cedar = '// "é" \\ \n forbid(principal, action, resource);';
    await database.sql`
      insert into authorization_policies (revision, cedar, author, installed_at)
      values (7, ${cedar}, 'test', '2026-01-02T03:04:05.678901Z')`;
    expect(await readPolicyText(link, { number: 7, installedAt: '1767323045.678901' }, soon())).toBe(cedar);
  });
  it('that is not there is no text', async () => {
    for (const revision of [
      { number: 8, installedAt: '1767323045.678901' },
      { number: 7, installedAt: '1767323045.678902' },
    ]) {
      await expect(readPolicyText(link, revision, soon())).rejects.toThrow(
        `authorization policy ${revision.number} is not there`,
      );
    }
  });
});

describe('a federated identity', () => {
  const registered = () => database.sql`select username, origin, enabled from accounts order by username`;

  it('is entered once, and left as an operator made it', async () => {
    await Promise.all(Array.from({ length: 10 }, () => registerOidcIdentity(link, 'alice', soon())));
    await database.sql`update accounts set enabled = false where username = 'alice'`;
    await registerOidcIdentity(link, 'alice', soon());
    expect(await registered()).toEqual([{ username: 'alice', origin: 'directory', enabled: false }]);
  });
  it('never replaces a local account', async () => {
    await declaring(database.sql).account('bob');
    await registerOidcIdentity(link, 'bob', soon());
    expect(await registered()).toContainEqual({ username: 'bob', origin: 'local', enabled: true });
  });
  it('is all that the gateway may enter', async () => {
    const insert = "insert into accounts (id, username) values (gen_random_uuid(), 'mallory')";
    await expect(link.run(soon(), (sql) => sql.unsafe(insert))).rejects.toThrow('permission denied');
  });
});
