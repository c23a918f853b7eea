import { readMigrations } from '@gateway/database';
import { createEmptyDatabase } from '@gateway/database/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Commands, openCommands } from '../testing/commands.ts';

const last = readMigrations().length;
let at: Commands;
beforeEach(async () => {
  at = await openCommands(await createEmptyDatabase());
});
afterEach(() => at.close());

it('migrate applies pending migrations once, and --status lists them', async () => {
  expect((await at.ctl('roles')).err).toMatch(/Run: gatewayctl migrate/);
  expect((await at.ctl('migrate', '--status')).out).toMatch(/0001_service_roles +pending/);
  expect((await at.ctl('migrate')).out).toMatch(/^Applied 0001_service_roles\nApplied 0002/);
  expect((await at.ctl('migrate')).out).toBe('Nothing to apply: the schema is current.\n');
  expect((await at.ctl('migrate', '--status')).out).toMatch(/0001_service_roles +applied +\d{4}-/);
  expect(((await at.json('migrate', '--status')) as unknown[]).length).toBe(last);
  expect((await at.ctl('roles')).code).toBe(0);
});

it('migrate --check lists pending migrations, changes nothing, and shows by its exit code whether there are any', async () => {
  const before = await at.ctl('migrate', '--check');
  expect(before).toMatchObject({ code: 3, err: '' });
  expect(before.out).toMatch(/^PostgreSQL \d+.*\nPending migrations: \d+\n {2}0001_service_roles\n/);
  expect(before.out).toMatch(/No service is connected\. Run: gatewayctl migrate\n$/);
  expect((await at.ctl('migrate', '--status')).out).toMatch(/0001_service_roles +pending/);
  await at.ctl('migrate');
  const after = await at.ctl('migrate', '--check');
  expect(after).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^PostgreSQL .*\nThe schema is current\.\n$/) as string,
  });
  expect(await at.json('migrate', '--check')).toMatchObject({ pending: [], faults: [] });
  await at.database.sql`delete from schema_migrations where number = ${last}`;
  expect((await at.ctl('migrate', '--check')).code).toBe(3);
  expect((await at.ctl('migrate', '--check', '--status')).code).toBe(2);
});

// client-29
it('migrate --baseline records without running, with the last number alone', async () => {
  expect(await at.ctl('migrate', '--baseline', String(last))).toMatchObject({
    code: 1,
    err: expect.stringMatching(/no schema/) as string,
  });
  await at.ctl('migrate');
  await at.database.sql`drop table schema_migrations`;
  expect(await at.ctl('migrate', '--baseline', '1')).toMatchObject({
    code: 1,
    err: expect.stringMatching(/last migration/) as string,
  });
  expect(await at.ctl('migrate', '--baseline', String(last))).toMatchObject({ code: 0 });
  expect((await at.ctl('migrate', '--status')).out).toMatch(/0001_service_roles +baseline/);
});

it('migrate refuses wrong words', async () => {
  expect((await at.ctl('migrate', '--baseline', 'x')).code).toBe(2);
  expect((await at.ctl('migrate', '--baseline')).code).toBe(2);
  expect((await at.ctl('migrate', '--status', '--baseline', '1')).code).toBe(2);
  expect((await at.ctl('migrate', 'now')).code).toBe(2);
});

it('an old program refuses a newer schema', async () => {
  await at.ctl('migrate');
  await at.database.sql`insert into schema_migrations (number, name, digest) values (${last + 1}, 'later', 'x')`;
  for (const words of [['migrate'], ['migrate', '--status'], ['roles'], ['journal', 'verify']]) {
    expect(await at.ctl(...words)).toMatchObject({ code: 1, err: expect.stringMatching(/newer/) as string });
  }
});
