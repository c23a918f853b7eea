import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Commands, openCommands } from '../testing/commands.ts';

let at: Commands;
beforeAll(async () => {
  at = await openCommands();
  await at.database.sql`
    insert into providers (id, slug, name, base_url) values (gen_random_uuid(), 'local', 'Local', 'https://engine.example')`;
});
afterAll(() => at.close());

/** Finishes the next test as a gateway does. */
async function answer(status: number | null, fault: string | null, models: readonly string[] | null): Promise<void> {
  await expect
    .poll(
      async () =>
        (
          await at.database.sql`
            update provider_tests set finished_at = now(), status = ${status}, fault = ${fault},
              models = ${models === null ? null : `{${models.join()}}`}::text::text[]
            where finished_at is null returning id`
        ).length,
    )
    .toBe(1);
}

it('asks a gateway, and prints what the engine serves', async () => {
  const [ran] = await Promise.all([at.ctl('provider', 'test', 'local'), answer(200, null, ['small', 'large'])]);
  expect([ran.code, ran.out]).toEqual([0, 'The provider local answered 200.\nIt lists 2 models: small, large\n']);
});

it('fails with the cause, also as JSON', async () => {
  const [ran] = await Promise.all([at.ctl('provider', 'test', 'local'), answer(null, 'connect ECONNREFUSED', null)]);
  expect([ran.code, ran.err]).toEqual([1, 'gatewayctl: The provider local failed the test: connect ECONNREFUSED.\n']);
  const [json] = await Promise.all([at.ctl('--json', 'provider', 'test', 'local'), answer(401, null, null)]);
  expect([json.code, JSON.parse(json.out)]).toEqual([
    1,
    { provider: 'local', ok: false, status: 401, fault: null, models: null },
  ]);
});

it('lists which gateways have the key of a provider, and marks an old report', async () => {
  const empty = await at.ctl('provider', 'keys');
  expect(empty.out).toMatch(/^No gateway has reported a key variable in the last day\./);
  await at.database.sql`
    insert into reported_key_variables (gateway, present, absent, reported_at) values
      ('one:8080', '{A_KEY,B_KEY}', '{}', now()), ('two:8080', '{B_KEY}', '{A_KEY}', now() - interval '10 minutes')`;
  const ran = await at.ctl('provider', 'keys');
  expect(ran.out.replaceAll(/ {2,}/g, ' | ').replaceAll(/\d{4}-[\dT:.-]+Z/g, 'TIME')).toBe(
    [
      'VARIABLE | GATEWAY | STATE | REPORTED',
      'A_KEY | one:8080 | set | TIME',
      'A_KEY | two:8080 | not set | TIME (old)',
      'B_KEY | one:8080 | set | TIME',
      'B_KEY | two:8080 | set | TIME (old)\n',
    ].join('\n'),
  );
});

it('knows a provider that nobody declared', async () => {
  const ran = await at.ctl('provider', 'test', 'nobody');
  expect([ran.code, ran.err]).toEqual([1, 'gatewayctl: There is no provider nobody.\n']);
});
