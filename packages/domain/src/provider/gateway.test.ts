import { connect, parseDatabaseAddress, type Sql } from '@gateway/database';
import { createLink, type Link } from '@gateway/database/client/link';
import { createTestDatabase, type TestDatabase } from '@gateway/database/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { listKeyVariableReports } from './console.ts';
import { keepKeyVariables, readKeyVariables, takeProviderTest } from './gateway.ts';

let database: TestDatabase;
let link: Link;
let consoleSql: Sql;
const within = () => performance.now() + 30_000;
beforeAll(async () => {
  database = await createTestDatabase();
  const address = parseDatabaseAddress(database.gatewayUrl);
  link = createLink({ address, applicationName: 'test', budgetMs: 30_000, settings: {} });
  consoleSql = connect(parseDatabaseAddress(database.consoleUrl), { max: 1 });
  await database.sql`
    insert into providers (id, slug, name, base_url, api_key_env) values
      (gen_random_uuid(), 'one', 'One', 'https://one.example', 'B_KEY'),
      (gen_random_uuid(), 'two', 'Two', 'https://two.example', 'A_KEY'),
      (gen_random_uuid(), 'three', 'Three', 'https://three.example', 'A_KEY'),
      (gen_random_uuid(), 'four', 'Four', 'https://four.example', null)`;
});
afterAll(async () => {
  await consoleSql.end();
  link.cut();
  await database.drop();
});

it('the names that providers refer to are read once each, and each gateway has one report', async () => {
  expect(await readKeyVariables(link, within())).toEqual(['A_KEY', 'B_KEY']);
  await keepKeyVariables(link, { gateway: 'one:8080', present: ['A_KEY'], absent: ['B_KEY'] }, within());
  await database.sql`update reported_key_variables set reported_at = now() - interval '25 hours'`;
  await keepKeyVariables(link, { gateway: 'two:8080', present: [], absent: ['A_KEY', 'B_KEY'] }, within());
  await keepKeyVariables(link, { gateway: 'two:8080', present: ['A_KEY', 'B_KEY'], absent: [] }, within());
  const rows = await database.sql`select gateway from reported_key_variables`;
  expect(rows.map(({ gateway }) => gateway as string)).toEqual(['two:8080']);
  expect(await listKeyVariableReports(consoleSql)).toMatchObject([
    { gateway: 'two:8080', isOld: false, present: ['A_KEY', 'B_KEY'], absent: [] },
  ]);
});

it('a gateway takes tests of providers and of connections that are not declared, the oldest first', async () => {
  await consoleSql`
    insert into provider_tests (id, provider_id, requested_by, requested_at)
    select gen_random_uuid(), id, 'root', now() - interval '2 seconds' from providers where slug = 'one'`;
  await consoleSql`
    insert into provider_tests (id, base_url, api_key_env, api_key_header, requested_by)
    values (gen_random_uuid(), 'https://new.example', 'NEW_KEY', 'x-api-key', 'root')`;
  const taken = [await takeProviderTest(link, within()), await takeProviderTest(link, within())];
  expect(taken.map((test) => test?.provider)).toEqual([
    { baseUrl: 'https://one.example', apiKeyEnv: 'B_KEY', apiKeyHeader: null },
    { baseUrl: 'https://new.example', apiKeyEnv: 'NEW_KEY', apiKeyHeader: 'x-api-key' },
  ]);
  expect(await takeProviderTest(link, within())).toBeNull();
});
