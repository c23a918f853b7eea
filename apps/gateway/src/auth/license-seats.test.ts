import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { profile } from '../profile/on-premise.ts';
import { ask } from '../testing/caller.ts';
import { eventually } from '../testing/eventually.ts';
import { testLicense } from '../testing/license.ts';
import { startWorld, type World } from '../testing/world.ts';

const worlds: World[] = [];
afterAll(() => Promise.all(worlds.map((world) => world.stop())));

async function licensed(change: Parameters<typeof testLicense>[0] = {}): Promise<World> {
  const world = await startWorld({ profile, environment: { GATEWAY_LICENSE: await testLicense(change) } });
  worlds.push(world);
  return world;
}
/** Calls and returns the status and the sentence of a refusal. */
async function call(world: World, key: string, path = '/chat/v1/x', port = world.port): Promise<unknown[]> {
  const { status, json } = await ask(port, path, { key });
  return status === 200 ? [200] : [status, (json as { error: string }).error];
}
const SEATS = expect.stringContaining('seat limit reached for the current month (contact operator to increase seats)');
const NO_ROLE = 'Your identity is recognised, but no role you hold carries the right to call this endpoint.';
const roleless = async (world: World, name: string) => {
  await world.declare.account(name);
  const { keyOf } = await import('@gateway/database/testing');
  return keyOf(name);
};

describe('seats', () => {
  let world: World;
  beforeAll(async () => {
    world = await licensed({ seats: 2 });
  });

  it('are not taken by a subject without a role, or at an unknown endpoint', async () => {
    const nobody = await roleless(world, 'nobody');
    expect(await call(world, nobody)).toEqual([403, NO_ROLE]);
    expect((await call(world, world.key, '/nowhere'))[0]).toBe(404);
    expect(await world.database.sql`select subject from license_seats`).toHaveLength(0);
  });
  it('serve as many subjects as there are seats, then refuse and record it', async () => {
    const [second, third] = [await world.account('second'), await world.account('third')];
    expect(await call(world, world.key)).toEqual([200]);
    expect(await call(world, second)).toEqual([200]);
    expect(await call(world, third)).toEqual([403, SEATS]);
    expect(await call(world, world.key)).toEqual([200]);
    const refused = { subject: 'third', outcome: 'refused', reason: 'license-seats', status: 403 };
    await eventually(async () => expect(await world.entries()).toContainEqual(expect.objectContaining(refused)));
  });
  it('are checked before the rights', async () => {
    expect(await call(world, await roleless(world, 'late'))).toEqual([403, SEATS]);
  });
  // roles-21
  it('count across processes: one of 100 first calls to three gateways gets the last seat', async () => {
    const busy = await licensed({ seats: 5 });
    const gateways = [busy.gateway, await busy.another(), await busy.another()];
    const ports = gateways.map(({ address }) => Number(new URL(address).port));
    for (const name of ['a', 'b', 'c', 'd']) expect(await call(busy, await busy.account(name))).toEqual([200]);
    const keys = await Promise.all(Array.from({ length: 100 }, (_, index) => busy.account(`s${index}`)));
    const answers = await Promise.all(keys.map((key, index) => call(busy, key, '/chat/last', ports[index % 3])));
    expect(answers.filter(([status]) => status === 200)).toHaveLength(1);
    expect(answers.filter(([status]) => status === 403)).toHaveLength(99);
    expect(busy.engine.received.filter(({ url }) => url === '/base/last')).toHaveLength(1);
  });
});

describe('a license', () => {
  // roles-22
  it('without the capability refuses by its name', async () => {
    const world = await licensed({ capabilities: ['agent-execution'] });
    expect(await call(world, world.key)).toEqual([
      403,
      expect.stringContaining('capability "inference" not included in the license'),
    ]);
  });
  it('serves in its grace period and is logged for the operator', async () => {
    const world = await licensed({ exp: Math.floor(Date.now() / 1000) - 86_400, graceDays: 2 });
    expect(await call(world, world.key)).toEqual([200]);
    expect(world.reports.join('\n')).toMatch(/license expired on .* served until/);
  });
  it('that runs out while the gateway serves is noticed', async () => {
    // The license is valid, even after a slow start, until the clock is turned on.
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const exp = Math.floor(Date.now() / 1000) + 3600;
    const world = await licensed({ exp, graceDays: 0 });
    expect(await call(world, world.key)).toEqual([200]);
    vi.setSystemTime(exp * 1000);
    expect(await call(world, world.key)).toEqual([
      403,
      expect.stringContaining('license expired and grace elapsed (contact operator to renew)'),
    ]);
  });
  it('is not checked before credentials, revocation and endpoint', async () => {
    const world = await licensed({ seats: 0 });
    expect((await call(world, 'gwk_nobody'))[0]).toBe(401);
    expect((await call(world, world.key, '/nowhere'))[0]).toBe(404);
    await world.declare.endpoint('off', String((await world.database.sql`select id from models`)[0]?.['id']), false);
    expect(await call(world, world.key, '/off')).toEqual([403, 'Endpoint "off" is disabled.']);
  });
  it('leaves the call undecided when the seats cannot be read', async () => {
    const world = await licensed({ seats: 3 });
    await world.database.sql`alter table license_seats rename to elsewhere`;
    expect((await call(world, world.key))[0]).toBe(503);
    await world.database.sql`alter table elsewhere rename to license_seats`;
    expect(await call(world, world.key)).toEqual([200]);
  });
  it('of development is announced', async () => {
    const world = await licensed();
    expect(world.reports.join('\n')).toContain('accepts development licenses');
  });
});
