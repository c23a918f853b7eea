import { createSigner, generateSigningKey } from '@gateway/ledger';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connect, parseDatabaseAddress, type Sql } from '../client/connect.ts';
import { createTestDatabase, type TestDatabase, verdictOn } from '../testing/index.ts';
import type { AdministrationAction } from './entries.ts';
import { ACTIONS, appendAdministrationAction } from './index.ts';

const signer = createSigner(generateSigningKey());
let database: TestDatabase;
let asConsole: Sql;
beforeAll(async () => {
  database = await createTestDatabase();
  asConsole = connect(parseDatabaseAddress(database.consoleUrl), { max: 4 });
});
afterAll(async () => {
  await asConsole.end();
  await database.drop();
});
const act = (change: Partial<AdministrationAction> = {}): AdministrationAction => ({
  component: 'console',
  author: 'root',
  action: 'provider.create',
  target: 'engine',
  oldValue: null,
  newValue: { slug: 'engine', price: 1.5 },
  ...change,
});

it('acts are chained and sealed, also when they are appended at the same time, by both components', async () => {
  await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      (index % 2 ? asConsole : database.sql).begin((sql) =>
        appendAdministrationAction(sql, act({ target: `${index}` }), signer),
      ),
    ),
  );
  expect(await verdictOn(database.sql, ACTIONS)).toEqual({ ok: true, entries: 20n, lastSequence: 20n });
});

it('an act is there exactly when its change is', async () => {
  const failing = database.sql.begin(async (sql) => {
    await appendAdministrationAction(sql, act(), signer);
    throw new Error('the change failed');
  });
  await expect(failing).rejects.toThrow('the change failed');
  expect(await verdictOn(database.sql, ACTIONS)).toMatchObject({ ok: true, entries: 20n });
});

it('values are read back as hashed, for any content', async () => {
  const value = fc.jsonValue().map((one) => one as AdministrationAction['newValue']);
  const values = fc.record({ oldValue: value, newValue: value, target: fc.string({ unit: 'binary' }) });
  await fc.assert(
    fc.asyncProperty(values, async (change) => {
      await database.sql.begin((sql) => appendAdministrationAction(sql, act(change), signer));
    }),
  );
  await database.sql.begin((sql) =>
    appendAdministrationAction(sql, act({ newValue: ['\0', '\ud800', { '\0': 1 }] }), signer),
  );
  expect(await verdictOn(database.sql, ACTIONS)).toMatchObject({ ok: true });
});

it('an author with control characters is recorded with their escapes, so that it forges no line', async () => {
  const forger = act({ author: 'a\nb\u202e' });
  await database.sql.begin((sql) => appendAdministrationAction(sql, forger, signer));
  const [last] = await database.sql`select author from administration_actions order by sequence desc limit 1`;
  expect(last).toEqual({ author: 'a\\u{a}b\\u{202e}' });
  expect(await verdictOn(database.sql, ACTIONS)).toMatchObject({ ok: true });
});
