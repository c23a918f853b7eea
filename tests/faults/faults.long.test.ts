import { expect, it } from 'vitest';
import { runSuite } from './suite.ts';

// The short form of `npm run faults`: the quick faults once each. Those that take long by their nature (a frozen
// server, a lock, a stalled network) are made by apps/gateway/src/store and by the long form.
const QUICK = [
  'PostgreSQL killed and restarted',
  'connections ended by the server',
  'database read-only',
  'disk full',
  'network to the database cut at a byte',
  'network to the database reset',
  'network to the engine cut at a byte',
  'network to the engine reset',
  'gateway killed',
  'every gateway killed',
  'gateway and PostgreSQL killed together',
  'gateway asked to end under load',
  'clock ten minutes ahead, and back',
  'identity provider down',
  'file operations of the gateway fail',
];

it('relays nothing unrecorded, and loses no usage, entry or answer, under any fault', async () => {
  const seed = Number(process.env['TEST_SEED'] ?? 20_261_123);
  const { unlogged, lostUsage, gaps, crossed, examples, faults, notRun, requests } = await runSuite({
    seed,
    minutes: 0,
    requests: 0,
    callers: 8,
    gateways: 2,
    systemCallStep: 1,
    only: QUICK,
    report: () => {},
  });
  expect({ unlogged, lostUsage, gaps, crossed, examples }, `TEST_SEED=${seed}`).toEqual({
    unlogged: 0,
    lostUsage: 0,
    gaps: 0,
    crossed: 0,
    examples: { unlogged: [], lostUsage: [], gaps: [], crossed: [] },
  });
  expect([...Object.keys(faults), ...Object.keys(notRun)].sort()).toEqual([...QUICK].sort());
  expect(requests).toBeGreaterThan(100);
});
