import { createTestDatabase, type TestDatabase } from '@gateway/database/testing';
import { createSigner, generateSigningKey } from '@gateway/ledger';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestConsole } from '../../testing/console.ts';
import { type BackgroundJob, type JobServices, startBackgroundJobs } from './background-jobs.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const services = (): JobServices => ({
  database: database.sql,
  signer: createSigner(generateSigningKey()),
});

/** A job whose rounds end as scripted, and which resolves after this many runs. */
function counted(name: string, rounds: readonly (Error | null)[]) {
  let count = 0;
  const all = Promise.withResolvers<void>();
  const job: BackgroundJob = {
    name,
    every: 1,
    async run() {
      const outcome = rounds[count];
      count += 1;
      if (count === rounds.length) all.resolve();
      if (outcome) throw outcome;
    },
  };
  return { job, all: all.promise, count: () => count };
}

describe('a job', () => {
  it('runs at the start and again, even if a round or another job fails', async () => {
    const complaints: string[] = [];
    const one = counted('sweeping', [new Error('no broom'), null, null]);
    const away = counted('dusting', [Object.assign(new Error('gone'), { code: 'CONNECTION_CLOSED' }), null]);
    const stop = startBackgroundJobs([one.job, away.job], services(), (line) => complaints.push(line));
    await Promise.all([one.all, away.all]);
    await stop();
    expect(complaints).toEqual(['sweeping failed: Error: no broom']);
  });
  it('that is in progress is awaited, and not started again', async () => {
    const going = Promise.withResolvers<void>();
    let [rounds, ended] = [0, false];
    const job: BackgroundJob = {
      name: 'sweeping',
      every: 0,
      async run() {
        rounds += 1;
        await going.promise;
        ended = true;
      },
    };
    const stopped = startBackgroundJobs([job], services(), () => {})();
    going.resolve();
    await stopped;
    expect([rounds, ended]).toEqual([1, true]);
  });
});

describe('the hosted console', () => {
  it('adds usage up by itself', async () => {
    await database.sql`
      insert into request_logs (id, timestamp, subject, endpoint, model, model_id, input_tokens, output_tokens, latency_ms,
        usage_source, interrupted)
      select gen_random_uuid(), '2026-01-15', 'ada', 'chat', 'm', gen_random_uuid(), 1, 1, 1, 'reported', false
      from generate_series(1, 10)`;
    const here = await startTestConsole({ environment: { DATABASE_URL: database.consoleUrl } });
    await expect.poll(async () => (await database.sql`select from usage_unsummed`).length).toBe(0);
    expect(await database.sql`select sum(requests)::int as requests from usage_sums where stretch = 'day'`).toEqual([
      { requests: 10 },
    ]);
    await here.stop();
    expect(here.faults).toEqual([]);
  });
});
