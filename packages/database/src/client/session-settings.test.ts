import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type FaultProxy,
  type Standby,
  startFaultProxy,
  startStandby,
  startTestServer,
  type TestServer,
} from '../testing/index.ts';
import { createWireLink } from '../wire/link.ts';
import { connect, parseDatabaseAddress } from './connect.ts';
import { createLink } from './link.ts';
import { isReadOnlyFault } from './session-settings.ts';

/** Every kind of connection, at an address that leads to a primary, to its standby, and back. */
let primary: TestServer;
let standby: Standby;
let address: FaultProxy;
beforeAll(async () => {
  primary = await startTestServer();
  standby = await startStandby(primary);
  address = await startFaultProxy(primary.gatewayUrl);
});
afterAll(async () => {
  await address.close();
  await standby.close();
  await primary.close();
});

const SERVER = "select current_setting('port')";
/** Milliseconds: short, because calls wait for a primary until it is over. */
const BUDGET = 1000;
const soon = () => performance.now() + BUDGET;
const at = () => parseDatabaseAddress(address.through(primary.gatewayUrl));

/** Each asks for the server's port. */
function kinds(settings: Record<string, string>): Record<string, { ask: () => Promise<unknown>; end: () => unknown }> {
  const pool = connect(at(), { max: 2, settings });
  const link = createLink({ address: at(), applicationName: 'link', budgetMs: BUDGET, settings });
  const wire = createWireLink({ address: at(), applicationName: 'wire', budgetMs: BUDGET, settings });
  return {
    pool: { ask: () => pool.unsafe(SERVER), end: () => pool.end({ timeout: 0 }) },
    transaction: { ask: () => pool.begin((sql) => sql.unsafe(SERVER)), end: () => {} },
    reserved: {
      async ask() {
        const one = await pool.reserve();
        try {
          return await one.unsafe(SERVER);
        } finally {
          one.release();
        }
      },
      end: () => {},
    },
    link: { ask: () => link.run(soon(), (sql) => sql.unsafe(SERVER)), end: () => link.cut() },
    wire: {
      ask: () =>
        new Promise((resolve, reject) => {
          wire.execute(SERVER, [], soon(), (error, replies) => (error === null ? resolve(replies) : reject(error)));
        }),
      end: () => wire.cut(),
    },
  };
}

const outcome = (asked: Promise<unknown>): Promise<string> =>
  asked.then(
    () => 'answered',
    (error: unknown) => (isReadOnlyFault(error) ? 'read-only' : `failed: ${String(error)}`),
  );

const each = async (of: ReturnType<typeof kinds>) =>
  Object.fromEntries(
    await Promise.all(Object.entries(of).map(async ([name, { ask }]) => [name, await outcome(ask())])),
  );

/** None is answered. The cause is awaited: on a busy machine, an attempt can hang before its server says why it refuses. */
async function expectRefused(of: ReturnType<typeof kinds>): Promise<void> {
  const seen = new Set<unknown>();
  await expect
    .poll(async () => {
      const outcomes = await each(of);
      for (const one of Object.values(outcomes)) seen.add(one);
      return outcomes;
    })
    .toEqual(all('read-only'));
  expect(seen).not.toContain('answered');
}

const all = (result: string) => ({ pool: result, transaction: result, reserved: result, link: result, wire: result });

describe.each([
  ['sessions that may write', {}],
  ['sessions that only read', { default_transaction_read_only: 'on' }],
])('%s', (_, settings) => {
  it('never use a standby, and use the primary again at once', async () => {
    const of = kinds(settings);
    expect(await each(of)).toEqual(all('answered'));
    address.leadTo(standby.gatewayUrl);
    await each(of); // the open connections were cut
    for (let round = 0; round < 2; round += 1) await expectRefused(of);
    address.leadTo(primary.gatewayUrl);
    await expect.poll(() => each(of)).toEqual(all('answered'));
    for (const { end } of Object.values(of)) await end();
  });
});

it('a session is closed when its server becomes read-only, and its successors are refused until it takes changes', async () => {
  const of = kinds({});
  const setting = (value: string) =>
    primary.asOwner(async (sql) => {
      await sql.unsafe(`alter system set default_transaction_read_only = ${value}`);
      await sql`select pg_reload_conf()`;
    });
  await each(of);
  await setting('on');
  await expect.poll(() => each(of)).toEqual(all('read-only'));
  await expectRefused(of);
  await setting('off');
  await expect.poll(() => each(of)).toEqual(all('answered'));
  for (const { end } of Object.values(of)) await end();
});
