import { migrate, readMigrations } from '@gateway/database';
import { createEmptyDatabase, type TestDatabase } from '@gateway/database/testing';
import { v7 as uuid } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listAgentCommands, listAgentSessions } from './session/console.ts';
import { listUsage, summarizeUsage } from './usage/console-records.ts';

// A database of an early version, with data that later migrations reckon with, and then brought up to date in one go.
const EARLY = readMigrations().filter(({ number }) => number <= 14);
let database: TestDatabase;
const [model, running, ended, recent] = [uuid(), uuid(), uuid(), uuid()];
beforeAll(async () => {
  database = await createEmptyDatabase();
  const { sql } = database;
  await migrate(database.ownerUrl, EARLY);
  const provider = uuid();
  await sql`insert into providers (id, slug, name, base_url) values (${provider}, 'engine', 'Engine', 'https://e.example')`;
  await sql`
    insert into models (id, provider_id, slug, name, input_price, output_price)
    values (${model}, ${provider}, 'small', 'Small', 0.5, 2)`;
  for (const [at, subject, input] of [
    ['2025-12-31T23:59:59.999Z', 'ada', 10],
    ['2026-01-01T00:00:00.000Z', 'ada', 20],
    ['2026-01-01T12:00:00.000Z', 'bob', 40],
  ] as const) {
    await sql`
      insert into request_logs (id, timestamp, subject, endpoint, model, model_id, input_tokens, output_tokens, latency_ms,
        usage_source, interrupted)
      values (${uuid()}, ${at}, ${subject}, 'chat', 'small', ${model}, ${input}, 1, 100, 'reported', false)`;
  }
  await sql`
    insert into agent_acts (id, session, subject, at, tool, target_kind, target_value, authorized_by, outcome)
    values (${uuid()}, 'acted', 'ada', '2026-01-01T10:00:00Z', 't', 'path', '/', 'policy', 'succeeded'),
      (${uuid()}, 'acted', 'ada', '2026-01-01T11:00:00Z', 't', 'path', '/', 'policy', 'failed')`;
  for (const [id, ago] of [
    [running, '2 days'],
    [ended, '2 days'],
    [recent, '1 minute'],
  ] as const) {
    await sql`
      insert into agent_commands (id, subject, session, interpreter, started_at)
      values (${id}, 'bob', 'commanded', 'sh', now() - ${ago}::text::interval)`;
  }
  await sql`
    insert into agent_command_ends (command_id, ended_at, code, duration_ms, stdout_bytes, stderr_bytes)
    values (${ended}, now(), 0, 5, 6, 7)`;
  await sql`insert into agent_session_revocations (session, reason, author) values ('revoked', 'r', 'olga')`;
  await migrate(database.ownerUrl);
});
afterAll(() => database.drop());

const WHOLE = { limit: null, after: null };
const USAGE = { subject: null, endpoint: null, model: null, provider: null, project: null, from: null, until: null };

describe('an upgrade of an early version', () => {
  it('keeps every usage record, without tokens of a cache, at the prices of its model', async () => {
    const rows = await listUsage(database.sql, USAGE, WHOLE);
    expect(
      rows.map(({ subject, inputTokens, cachedInputTokens, cost }) => [subject, inputTokens, cachedInputTokens, cost]),
    ).toEqual([
      ['bob', 40, 0, 22],
      ['ada', 20, 0, 12],
      ['ada', 10, 0, 7],
    ]);
  });

  it('adds the records of before to the sums, by the days and months of UTC', async () => {
    const { totals, series } = await summarizeUsage(database.sql, USAGE, 'month');
    expect(totals).toMatchObject({ requests: 3, inputTokens: 70, outputTokens: 3 });
    expect(series.map(({ name, requests }) => [name, requests])).toEqual([
      ['2025-12-01T00:00:00.000Z', 1],
      ['2026-01-01T00:00:00.000Z', 2],
    ]);
    const days = await database.sql`
      select starts::text as day, sum(requests)::int as requests from usage_sums where stretch = 'day' group by 1 order by 1`;
    expect([...days]).toEqual([
      { day: '2025-12-31', requests: 1 },
      { day: '2026-01-01', requests: 2 },
    ]);
  });

  it('lists the sessions of acts, of commands, and of revocations alone', async () => {
    const filter = { session: null, subject: null, sessionPart: null, subjectPart: null, revoked: null };
    const rows = await listAgentSessions(database.sql, filter, WHOLE);
    const shown = Object.fromEntries(
      rows.map(({ session, subject, acts, standing }) => [session, [subject, acts, standing]]),
    );
    expect(shown).toEqual({
      acted: ['ada', 2, 'in force'],
      commanded: ['bob', 0, 'in force'],
      revoked: [null, 0, 'revoked'],
    });
  });

  it('ends the commands that no gateway can still run, and no other', async () => {
    const filter = { id: null, subject: null, session: null, subjectPart: null, sessionPart: null, running: null };
    const rows = await listAgentCommands(database.sql, filter, WHOLE);
    const causes = Object.fromEntries(rows.map(({ id, cause, endedAt }) => [id, [cause, endedAt !== null]]));
    expect(causes).toEqual({ [running]: ['lost', true], [ended]: [null, true], [recent]: [null, false] });
  });
});
