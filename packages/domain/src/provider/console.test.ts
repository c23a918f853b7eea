import { createTestDatabase, type Declare, declaring, type TestDatabase } from '@gateway/database/testing';
import { v7 as uuid } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listEngineErrors, listProviderHealth, readEngineResult } from './console.ts';

let database: TestDatabase;
let declare: Declare;
beforeAll(async () => {
  database = await createTestDatabase();
  declare = declaring(database.sql);
});
afterAll(() => database.drop());
beforeEach(() => database.sql`truncate upstream_results, request_logs, providers cascade`);

interface Result {
  readonly id?: string;
  readonly ago?: string;
  readonly endpoint?: string;
  readonly provider?: string;
  readonly status: number | null;
  readonly fault?: string | null;
  readonly calls?: number;
}
const add = ({
  id = uuid(),
  ago = '1 minute',
  endpoint = 'chat',
  provider = 'engine',
  status,
  fault = null,
  calls = 1,
}: Result) =>
  database.sql`
    insert into upstream_results (decision_id, at, endpoint, provider, status, fault, calls)
    values (${id}, now() - ${ago}::text::interval, ${endpoint}, ${provider}, ${status}, ${fault}, ${calls})`;
const errors = async (from: string | null = null, until: string | null = null) =>
  listEngineErrors(database.sql, { endpoint: null, model: null, provider: null, subject: null, from, until });

describe('the errors of engines', () => {
  it('are counted by endpoint and provider with the number of each status, most failures first', async () => {
    await add({ status: 200, calls: 90 });
    await add({ status: 429, calls: 2 });
    await add({ status: 500, calls: 3 });
    await add({ status: null, fault: 'no answer' });
    await add({ endpoint: 'code', status: 200, calls: 7 });
    await add({ endpoint: 'code', provider: 'other', status: 404 });
    expect(await errors()).toEqual([
      {
        endpoint: 'chat',
        provider: 'engine',
        calls: 96,
        failed: 6,
        statuses: [
          { status: 500, calls: 3 },
          { status: 429, calls: 2 },
          { status: null, calls: 1 },
        ],
      },
      { endpoint: 'code', provider: 'other', calls: 1, failed: 1, statuses: [{ status: 404, calls: 1 }] },
      { endpoint: 'code', provider: 'engine', calls: 7, failed: 0, statuses: [] },
    ]);
  });

  it('include answers that began well and broke off', async () => {
    await add({ status: 200, fault: 'the answer broke off' });
    expect(await errors()).toMatchObject([{ calls: 1, failed: 1, statuses: [{ status: 200, calls: 1 }] }]);
  });

  it('are those of the period, from its beginning to before its end', async () => {
    for (const [n, at] of ['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z', '2026-01-03T00:00:00Z'].entries()) {
      await database.sql`
        insert into upstream_results (decision_id, at, endpoint, provider, status)
        values (${uuid()}, ${at}, 'chat', 'engine', ${500 + n})`;
    }
    const [one] = await errors('2026-01-02T00:00:00.000Z', '2026-01-03T00:00:00.000Z');
    expect(one?.statuses).toEqual([{ status: 501, calls: 1 }]);
    expect(await errors('2026-01-03T00:00:00.001Z')).toEqual([]);
  });

  it('are none where no call was made', async () => expect(await errors()).toEqual([]));
});

describe('the health of a provider', () => {
  it('is its last result, its last failure of this hour, and the numbers of this hour', async () => {
    await declare.provider('engine');
    await database.sql`update providers set name = 'Engine of ours' where slug = 'engine'`;
    await add({ ago: '2 hours', status: 503, calls: 100 });
    await add({ ago: '30 minutes', status: null, fault: 'refused the connection' });
    await add({ ago: '20 minutes', status: 200, calls: 50 });
    const [health] = await listProviderHealth(database.sql);
    expect(health).toMatchObject({
      provider: 'engine',
      name: 'Engine of ours',
      last: { status: 200, fault: null },
      lastFailure: { status: null, fault: 'refused the connection' },
      callsLastHour: 51,
      failedLastHour: 1,
    });
  });

  it('shows no failure that is older than an hour, and is shown for a provider without calls too', async () => {
    await declare.provider('idle');
    await declare.provider('recovered');
    await add({ provider: 'recovered', ago: '61 minutes', status: 500 });
    const nothing = { lastFailure: null, callsLastHour: 0, failedLastHour: 0 };
    expect(await listProviderHealth(database.sql)).toMatchObject([
      { provider: 'idle', last: null, ...nothing },
      { provider: 'recovered', last: { status: 500 }, ...nothing },
    ]);
  });

  it('is not that of a provider whose name begins alike', async () => {
    await declare.provider('eng');
    await declare.provider('engine');
    await add({ status: 500 });
    expect((await listProviderHealth(database.sql)).map(({ failedLastHour }) => failedLastHour)).toEqual([0, 1]);
  });
});

describe('the result of one call', () => {
  const used = (id: string, model: string, status: number | null) => database.sql`
    insert into request_logs
    values (${id}, now(), 'ada', 'chat', 'small', ${model}, 1, 1, 1, 'reported', false, 0, 0, ${status})`;

  it('is in its own row where it failed, and in the usage record otherwise', async () => {
    const model = await declare.model(await declare.provider('engine'), 'small');
    const [failed, well] = [uuid(), uuid()];
    await add({ id: failed, status: 500, fault: 'broke off' });
    await used(well, model, 200);
    expect(await readEngineResult(database.sql, failed)).toMatchObject({
      provider: 'engine',
      status: 500,
      fault: 'broke off',
    });
    expect(await readEngineResult(database.sql, well)).toMatchObject({ provider: 'engine', status: 200, fault: null });
  });

  it('is unknown while the answer runs, and for records from before statuses were kept', async () => {
    const model = await declare.model(await declare.provider('engine'), 'small');
    const old = uuid();
    await used(old, model, null);
    expect(await readEngineResult(database.sql, old)).toBeUndefined();
    expect(await readEngineResult(database.sql, uuid())).toBeUndefined();
  });

  it('has no provider where the model was deleted', async () => {
    const id = uuid();
    await used(id, uuid(), 201);
    expect(await readEngineResult(database.sql, id)).toMatchObject({ provider: null, status: 201 });
  });
});
