import { randomUUID } from 'node:crypto';
import { parseDatabaseAddress } from '@gateway/database';
import { createLink, type Link } from '@gateway/database/client/link';
import { createTestDatabase, type TestDatabase } from '@gateway/database/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { finishProviderTest, keepUpstreamResults, takeProviderTest, type UpstreamResult } from './gateway.ts';

let database: TestDatabase;
let link: Link;
beforeAll(async () => {
  database = await createTestDatabase();
  const address = parseDatabaseAddress(database.gatewayUrl);
  link = createLink({ address, applicationName: 'test', budgetMs: 30_000, settings: {} });
});
afterAll(async () => {
  link.cut();
  await database.drop();
});
const deadline = () => performance.now() + 30_000;

const keep = (...results: UpstreamResult[]): Promise<void> =>
  keepUpstreamResults(link, { results, keyUses: [] }, deadline());

describe('results of providers', () => {
  it('are stored once each', async () => {
    const result = (at: string, status: number | null, fault: string | null, calls: number) =>
      ({ decisionId: randomUUID(), at, endpoint: 'chat', provider: 'lab', status, fault, calls }) as const;
    const results = [
      result('2096-01-02T00:00:00.000Z', 200, null, 3),
      result('2096-01-01T00:00:00.000Z', null, 'it "broke" off: \u00e9', 1),
    ];
    await keep(...results);
    await keep(...results.slice(1));
    expect(
      await database.sql`select endpoint, provider, status, fault, calls from upstream_results order by at`,
    ).toEqual([
      { endpoint: 'chat', provider: 'lab', status: null, fault: 'it "broke" off: \u00e9', calls: 1 },
      { endpoint: 'chat', provider: 'lab', status: 200, fault: null, calls: 3 },
    ]);
  });

  it('bring the last use of keys, which no late batch sets back', async () => {
    const keyId = randomUUID();
    for (const day of [1, 2, 1]) {
      const keyUses = [{ keyId, at: `2096-01-0${day}T00:00:00.000Z` }];
      await keepUpstreamResults(link, { results: [], keyUses }, deadline());
    }
    expect(await database.sql`select key_id, last_used_at from key_uses`).toEqual([
      { key_id: keyId, last_used_at: new Date('2096-01-02T00:00:00.000Z') },
    ]);
  });
});

describe('results past their retention', () => {
  const aResult = (at: string) => {
    return { decisionId: randomUUID(), at, endpoint: 'old', provider: 'lab', status: 200, fault: null, calls: 1 };
  };
  const monthsAgo = (months: number): string => {
    const now = new Date();
    return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 1)).toISOString();
  };
  const kept = async () => {
    const rows = await database.sql<{ at: Date }[]>`select at from upstream_results where endpoint = 'old' order by at`;
    return rows.map(({ at }) => at.toISOString());
  };

  it('are removed with the next batch: after three months, or what an operator set', async () => {
    const aged = [4, 3, 2, 1].map((months) => aResult(monthsAgo(months)));
    await keep(...aged);
    expect(await kept()).toEqual([3, 2, 1].map(monthsAgo));
    await database.sql`insert into log_retention (log, months) values ('results', 1)`;
    await keep(aResult(monthsAgo(0)));
    expect(await kept()).toEqual([1, 0].map(monthsAgo));
  });

  it('do not stop one gateway while another removes them', async () => {
    await database.sql`
      insert into upstream_results (decision_id, at, endpoint, provider)
      select gen_random_uuid(), '2020-01-01', 'old', 'lab' from generate_series(1, 5)`;
    await database.sql.begin(async (other) => {
      await other`select from upstream_results where at = '2020-01-01' limit 2 for update`;
      await keep(aResult(monthsAgo(0)));
    });
    expect((await kept()).filter((at) => at.startsWith('2020'))).toHaveLength(2);
  });
});

describe('a connection test', () => {
  it('is taken by only one gateway, and not after a minute', async () => {
    const [provider, test, late] = [randomUUID(), randomUUID(), randomUUID()];
    await database.sql`
      insert into providers (id, slug, name, base_url) values (${provider}, 'lab', 'Lab', 'https://engine.example')`;
    await database.sql`
      insert into provider_tests (id, provider_id, requested_by, requested_at) values (${test}, ${provider}, 'ada', now()),
        (${late}, ${provider}, 'ada', now() - interval '2 minutes')`;
    const taken = await Promise.all([takeProviderTest(link, deadline()), takeProviderTest(link, deadline())]);
    expect(taken.filter((one) => one !== null)).toEqual([
      { id: test, provider: { baseUrl: 'https://engine.example', apiKeyEnv: null, apiKeyHeader: null } },
    ]);
    await finishProviderTest(link, test, { status: 200, fault: null, models: ['a', 'b "c"'] }, deadline());
    await finishProviderTest(link, late, { status: null, fault: 'no answer', models: [] }, deadline());
    expect(
      await database.sql`select status, fault, models from provider_tests order by requested_at desc`,
    ).toMatchObject([
      { status: 200, fault: null, models: ['a', 'b "c"'] },
      { status: null, fault: 'no answer', models: [] },
    ]);
  });
});
