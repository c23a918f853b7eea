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

it('knows a provider that nobody declared', async () => {
  const ran = await at.ctl('provider', 'test', 'nobody');
  expect([ran.code, ran.err]).toEqual([1, 'gatewayctl: There is no provider nobody.\n']);
});
