import { connect, parseDatabaseAddress } from '@gateway/database';
import { keepVerification } from '@gateway/database/audit-log/lists';
import { createLink, type Link } from '@gateway/database/client/link';
import { createTestDatabase, type TestDatabase } from '@gateway/database/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readOverview } from '../usage/console.ts';
import { keepExpiries } from './gateway.ts';

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
const keep = (...expiries: Parameters<typeof keepExpiries>[1]) =>
  keepExpiries(link, expiries, performance.now() + 30_000);
const overview = async () => {
  const sql = connect(parseDatabaseAddress(database.consoleUrl), { max: 1 });
  const { licenseExpiresAt, certificateExpiresAt, lastVerification } = await readOverview(sql);
  await sql.end();
  return [licenseExpiresAt?.toISOString(), certificateExpiresAt?.toISOString(), lastVerification];
};
const AT = { soon: new Date('2097-01-01T00:00:00.000Z'), later: new Date('2098-01-01T00:00:00.000Z') };

it('the overview shows the nearest end that the gateways report, and forgets what was renewed', async () => {
  expect(await overview()).toEqual([undefined, undefined, null]);
  await keep({ kind: 'license', at: AT.later }, { kind: 'certificate', at: AT.soon });
  await keep({ kind: 'certificate', at: AT.later });
  expect(await overview()).toEqual([AT.later.toISOString(), AT.soon.toISOString(), null]);
  // Half an hour later, after the certificate was renewed: no gateway reports the old one.
  await database.sql`update reported_expiries set reported_at = reported_at - interval '31 minutes'`;
  await keep({ kind: 'certificate', at: AT.later });
  expect(await overview()).toEqual([AT.later.toISOString(), AT.later.toISOString(), null]);
});

it('the last verification is shown with its result', async () => {
  const sql = connect(parseDatabaseAddress(database.consoleUrl), { max: 1 });
  await keepVerification(sql, { chain: 'decisions', entries: 7, brokenAt: null });
  expect((await overview())[2]).toMatchObject({ chain: 'decisions', entries: 7, brokenAt: null });
  await database.sql`update chain_verifications set at = at - interval '1 hour'`;
  await keepVerification(sql, { chain: 'administration-actions', entries: null, brokenAt: 3 });
  expect((await overview())[2]).toMatchObject({ chain: 'administration-actions', entries: null, brokenAt: 3 });
  await sql.end();
});
