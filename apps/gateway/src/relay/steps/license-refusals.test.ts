import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { profile as onPremise } from '../../profile/on-premise.ts';
import { ask } from '../../testing/caller.ts';
import { eventually } from '../../testing/eventually.ts';
import { testLicense } from '../../testing/license.ts';
import { startWorld } from '../../testing/world.ts';

describe.each<[string, Parameters<typeof testLicense>[0], string, string]>([
  ['has no seat left', { seats: 0 }, 'seat limit reached for the current month', 'license-seats'],
  ['lacks the capability', { capabilities: [] }, 'capability "inference" not included', 'license-capability'],
])('a license that %s', (_, change, sentence, reason) => {
  // refusals-10
  it(`is a 403, recorded as ${reason}`, async () => {
    const world = await startWorld({ profile: onPremise, environment: { GATEWAY_LICENSE: await testLicense(change) } });
    const { status, json } = await ask(world.port, '/chat/x', { key: world.key, headers: { 'x-request-id': 'one' } });
    expect({ status, json }).toEqual({ status: 403, json: { error: expect.stringContaining(sentence) } });
    await eventually(async () =>
      expect(await world.entries('one')).toMatchObject([{ outcome: 'refused', reason, status }]),
    );
    expect(world.engine.received).toEqual([]);
    await world.stop();
  });
});

it('a license whose grace ends while the gateway serves is a 403, recorded as license-expired', async () => {
  // The license is valid, even after a slow start, until the clock is turned on.
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const exp = Math.floor(Date.now() / 1000) + 3600;
  const license = await testLicense({ exp, graceDays: 0 });
  const world = await startWorld({ profile: onPremise, environment: { GATEWAY_LICENSE: license } });
  const { key } = world;
  expect((await ask(world.port, '/chat/x', { key })).status).toBe(200);
  vi.setSystemTime(exp * 1000);
  const { json } = await ask(world.port, '/chat/x', { key, headers: { 'x-request-id': 'late' } });
  expect(json).toEqual({ error: expect.stringContaining('license expired and grace elapsed') });
  await eventually(async () =>
    expect(await world.entries('late')).toMatchObject([{ reason: 'license-expired', status: 403 }]),
  );
  await world.stop();
});
