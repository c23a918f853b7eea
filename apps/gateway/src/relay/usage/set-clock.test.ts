import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { ask } from '../../testing/caller.ts';
import { eventually } from '../../testing/eventually.ts';
import { startWorld, type World } from '../../testing/world.ts';

const MONTH = 30 * 86_400_000;

let world: World;
let ahead = 0;

beforeAll(async () => {
  const { now } = Date;
  vi.spyOn(Date, 'now').mockImplementation(() => now() + ahead);
  world = await startWorld();
});
afterEach(() => {
  ahead = 0;
});
afterAll(async () => {
  vi.restoreAllMocks();
  await world.stop();
});

/** The clock of the gateway's machine is set while the engine answers. */
function whileTheClockIsSet(by: number): void {
  world.engine.on('/x', (_, response) => {
    ahead = by;
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ choices: [], usage: { prompt_tokens: 3, completion_tokens: 4 } }));
  });
}

it.each([
  ['forward', MONTH],
  ['back', -MONTH],
])('a call during which the clock is set %s is served and counted, with its true duration', async (way, by) => {
  whileTheClockIsSet(by);
  const key = await world.account(way);
  expect((await ask(world.port, '/chat/x', { key })).status).toBe(200);
  await eventually(async () => expect(await world.usage(way)).toHaveLength(1));
  const [row] = await world.usage(way);
  expect(row).toMatchObject({ input_tokens: 3n, output_tokens: 4n });
  expect(row!['latency_ms']).toBeGreaterThan(0);
  expect(row!['latency_ms']).toBeLessThan(MONTH);
});
