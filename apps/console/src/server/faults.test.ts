import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Client } from '../testing/client.ts';
import { startTestConsole, type TestConsole, unique } from '../testing/console.ts';

let here: TestConsole;
let holder: Client;
beforeEach(async () => {
  here = await startTestConsole();
  holder = await here.holder('administrateur-d-instance');
});
afterEach(() => here.stop());

/** Locks a table until the returned function is called. */
async function hold(table: string): Promise<() => Promise<void>> {
  const connection = await here.database.sql.reserve();
  await connection.unsafe(`begin; lock table ${table} in access exclusive mode`);
  return async () => {
    await connection.unsafe('rollback');
    connection.release();
  };
}

describe('a database that does not answer', () => {
  it('refuses callers that cannot be identified, within the time budget, and recovers by itself', async () => {
    const release = await hold('role_assignments');
    const reply = await holder.get('/api/providers');
    await release(); // only now: the answer came while nothing could be read
    expect([reply.status, reply.json.error]).toEqual([
      503,
      'Authorization decision could not be made, so the request was refused.',
    ]);
    expect(here.faults).toEqual([expect.stringMatching(/^DATABASE_URL: the database gave no answer: .*\.$/)]);
    expect(here.faults.join()).not.toMatch(/\n|\bat /); // A cause, without a source position.
    expect((await holder.get('/api/providers')).status).toBe(200);
  });
  it('refuses while the server accepts no connection, and recovers by itself', async () => {
    const { sql } = here.database;
    const [{ name } = { name: '' }] = await sql<{ name: string }[]>`select current_database() name`;
    await sql`revoke connect on database ${sql(name)} from public, console_service`;
    await sql`
      select pg_terminate_backend(pid, 60000) from pg_stat_activity
      where datname = ${name} and usename = 'console_service'`;
    expect((await here.pair.get('/api/providers')).status).toBe(503);
    expect(here.faults.join()).toMatch(/gave no answer: permission denied for database/);
    await sql`grant connect on database ${sql(name)} to console_service`;
    expect((await here.pair.get('/api/providers')).status).toBe(200);
  });
  it('refuses what cannot be recorded, and does nothing', async () => {
    const slug = unique('provider');
    const release = await hold('authorization_decisions');
    const reply = await holder.post('/api/providers', { slug, name: 'x', baseUrl: 'https://engine.example' });
    await release();
    expect(reply.status).toBe(503);
    expect(reply.json.error).toMatch(
      /^Authorization decision could not be (recorded|made), so the request was refused\.$/,
    );
    expect((await here.pair.get('/api/providers?limit=500')).text).not.toContain(slug);
  });
  it('is reported to the shared pair as early as to all others, before a change begins', async () => {
    const slug = unique('provider');
    const connections = await here.database.sql<{ pid: number }[]>`
      select pid from pg_stat_activity where datname = current_database() and usename = 'console_service'`;
    for (const { pid } of connections) process.kill(pid, 'SIGSTOP');
    try {
      const reply = await here.pair.post('/api/providers', { slug, name: 'x', baseUrl: 'https://engine.example' });
      expect([reply.status, reply.json.error]).toEqual([
        503,
        'Authorization decision could not be made, so the request was refused.',
      ]);
    } finally {
      for (const { pid } of connections) process.kill(pid, 'SIGCONT');
    }
    expect((await here.pair.get('/api/providers?limit=500')).text).not.toContain(slug);
  });
  it('is named when its connections are cut, and is found again', async () => {
    const cut = () => here.database.sql`select pg_terminate_backend(pid, 60000) from pg_stat_activity
      where datname = current_database() and application_name like 'gateway-console%'`;
    await cut();
    const statuses = [];
    for (let round = 0; round < 5; round += 1) {
      statuses.push((await holder.get('/api/providers')).status);
      if (round === 1) await cut();
    }
    expect(statuses.filter((status) => ![200, 503].includes(status))).toEqual([]);
    await expect.poll(async () => (await holder.get('/api/providers')).status).toBe(200);
  });
  it('that became read-only is not used until it takes changes again', async () => {
    await here.database.sql.unsafe(
      `alter role console_service in database ${databaseName()} set default_transaction_read_only = on`,
    );
    await here.database.sql`select pg_terminate_backend(pid, 60000) from pg_stat_activity
      where datname = current_database() and usename = 'console_service'`;
    const change = () => here.pair.post('/api/plans', { slug: unique('plan'), name: 'x', monthlyCap: null });
    const statuses = [(await change()).status, (await change()).status, (await here.pair.get('/api/plans')).status];
    await here.database.sql.unsafe(
      `alter role console_service in database ${databaseName()} reset default_transaction_read_only`,
    );
    expect(statuses).toEqual([503, 503, 503]);
    expect((await change()).status).toBe(201);
  });
});

function databaseName(): string {
  return new URL(here.database.ownerUrl).pathname.slice(1);
}

describe('a change', () => {
  it('is not there without its entry in the administration log', async () => {
    await here.database.sql.unsafe(`
      create function refuse() returns trigger language plpgsql as 'begin raise exception ''full''; end';
      create trigger refuse before insert on administration_actions for each row execute function refuse()`);
    const slug = unique('plan');
    expect((await here.pair.post('/api/plans', { slug, name: 'x', monthlyCap: null })).status).toBe(500);
    expect((await here.pair.get('/api/plans?limit=500')).text).not.toContain(slug);
    expect(here.faults.join('\n')).toContain('full');
  });
});
