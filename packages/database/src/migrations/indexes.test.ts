import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/index.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it('documents the purpose of each index in docs/indexes.md', async () => {
  const page = readFileSync(new URL('../../../../docs/indexes.md', import.meta.url), 'utf8');
  const described = [...page.matchAll(/^\| `(\w+)` \| \S/gm)].map(([, name]) => name);
  const rows = await database.sql<{ name: string }[]>`
    select indexrelid::regclass::text as name from pg_index join pg_class on pg_class.oid = indrelid
    where relnamespace = 'public'::regnamespace and not exists (select from pg_constraint where conindid = indexrelid)`;
  expect(new Set(described)).toEqual(new Set(rows.map(({ name }) => name)));
  expect(described).toHaveLength(rows.length);
});
