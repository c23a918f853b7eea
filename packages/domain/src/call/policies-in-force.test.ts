import { randomUUID } from 'node:crypto';
import type { TestDatabase } from '@gateway/database/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RelayFactsReader } from './facts.ts';
import { declareFacts, type Facts, query } from './testing/facts.ts';

let facts: Facts;
let database: TestDatabase;
let restricted: RelayFactsReader;

beforeAll(async () => {
  facts = await declareFacts();
  ({ database } = facts);
  restricted = facts.reader(false);
});
afterAll(() => facts.end());

describe('what is in force', () => {
  it('is the newest policy with content', async () => {
    const revision = async () => (await restricted.read(query('caller'))).policy?.number ?? null;
    const install = (number: number, cedar: string) =>
      database.sql`insert into authorization_policies (revision, cedar, author) values (${number}, ${cedar}, 'a')`;
    expect(await revision()).toBeNull();
    await install(1, 'forbid(principal, action, resource);');
    expect(await revision()).toBe(1);
    await install(2, ' \n');
    expect(await revision()).toBeNull();
    await install(3, 'forbid(principal, action, resource);');
    expect(await revision()).toBe(3);
    await install(4, '');
  });

  it('is distinguished from another policy of the same number, as in a restored database: queried alone and with others', async () => {
    const policies = async () => {
      const alone = await restricted.read(query('caller'));
      const others = await Promise.all(Array.from({ length: 5 }, () => restricted.read(query('caller'))));
      for (const { policy } of others) expect(policy).toEqual(alone.policy);
      return alone.policy;
    };
    const install = async (at: string) => {
      await database.sql`delete from authorization_policies where revision = 5`;
      await database.sql`
        insert into authorization_policies (revision, cedar, author, installed_at)
        values (5, 'forbid(principal, action, resource);', 'a', ${at})`;
    };
    await install('2026-01-02T03:04:05.678Z');
    expect(await policies()).toEqual({ number: 5, installedAt: '1767323045.678000' });
    await install('2026-01-02T03:04:05.679Z');
    expect(await policies()).toEqual({ number: 5, installedAt: '1767323045.679000' });
    await database.sql`delete from authorization_policies where revision = 5`;
  });

  it('is the newest policy of the served organization alone', async () => {
    const [acme, other] = [randomUUID(), randomUUID()];
    await database.sql`insert into organizations (id, slug, name) values (${acme}, 'acme', 'A'), (${other}, 'other', 'O')`;
    await database.sql`insert into organization_policies (organization_id, revision, document, author)
      values (${acme}, 1, '{}', 'a'), (${acme}, 2, '{}', 'a'), (${other}, 9, '{}', 'a')`;
    expect((await facts.reader(false, 'acme').read(query('caller'))).organizationPolicy?.number).toBe(2);
    expect((await facts.reader(false, 'nobody').read(query('caller'))).organizationPolicy).toBeNull();
    expect((await restricted.read(query('caller'))).organizationPolicy).toBeNull();
  });
});
