import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../testing/index.ts';
import { dumpSchema } from './dump.ts';

let migrated: TestDatabase;
beforeAll(async () => {
  migrated = await createTestDatabase();
});
afterAll(() => migrated.drop());

describe('schema.sql', () => {
  it('is what the migrations make (fix: npx vitest run packages/database/src/schema -u, then read the difference)', async () => {
    await expect(await dumpSchema(migrated.sql)).toMatchFileSnapshot('../../schema.sql');
  });

  it('makes the same schema again on an empty database', async () => {
    const text = await dumpSchema(migrated.sql);
    const empty = await createEmptyDatabase();
    try {
      await empty.sql.unsafe(`revoke all on schema public from public;\n${text}`);
      expect(await dumpSchema(empty.sql)).toBe(text);
    } finally {
      await empty.drop();
    }
  });

  it('shows every change: a column, a check, an index, a grant', async () => {
    const other = await createTestDatabase();
    try {
      let before = await dumpSchema(other.sql);
      for (const change of [
        'alter table plans add column note text',
        'alter table plans add constraint short check (length(name) < 1000)',
        'create index plans_name on plans (name)',
        'grant update on request_logs to gateway_service',
        'grant update (label) on account_keys to gateway_service',
        'drop trigger administration_excludes_audit on role_assignments',
      ]) {
        await other.sql.unsafe(change);
        const after = await dumpSchema(other.sql);
        expect(after, change).not.toBe(before);
        before = after;
      }
    } finally {
      await other.drop();
    }
  });
});
