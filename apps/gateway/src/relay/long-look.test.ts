import { v7 } from 'uuid';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { ask } from '../testing/caller.ts';
import { startWorld, type World } from '../testing/world.ts';
import type { prepare } from './steps/prepare.ts';

/** What happens once while a body is prepared, as if that took long. */
const meanwhile = vi.hoisted(() => ({ happens: null as (() => Promise<unknown>) | null, ahead: 0 }));
vi.mock('./steps/prepare.ts', async (load) => {
  const original = await load<{ prepare: typeof prepare }>();
  return {
    prepare: async (...given: Parameters<typeof prepare>) => {
      const { happens } = meanwhile;
      meanwhile.happens = null;
      await happens?.();
      if (happens !== null) meanwhile.ahead += 600;
      return original.prepare(...given);
    },
  };
});

let world: World;
beforeAll(async () => {
  const now = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => now() + meanwhile.ahead);
  world = await startWorld();
});
afterAll(async () => {
  vi.restoreAllMocks();
  await world.stop();
});

const body = JSON.stringify({ model: 'any', messages: [] });

it('sends the model of the endpoint after a long look, to the provider of that model', async () => {
  const { declare, engine, database } = world;
  await world.serve('moved');
  const provider = await declare.provider('other', { baseUrl: `${engine.url}/other` });
  const model = await declare.model(provider, 'other-model');
  meanwhile.happens = () => database.sql`update endpoints set model_id = ${model} where name = 'moved'`;
  expect(await ask(world.port, '/moved/x', { key: world.key, body })).toMatchObject({ status: 200 });
  expect(engine.received.map(({ url, body: sent }) => [url, JSON.parse(String(sent)).model])).toEqual([
    ['/other/x', 'other-model'],
  ]);
});

it('refuses a caller that was revoked during a long look', async () => {
  const { engine, database } = world;
  const before = engine.received.length;
  meanwhile.happens = () =>
    database.sql`insert into subject_revocations ${database.sql({ id: v7(), subject: 'caller', reason: 'test', author: 'test' })}`;
  expect(await ask(world.port, '/chat/x', { key: world.key, body })).toMatchObject({ status: 403 });
  expect(engine.received).toHaveLength(before);
});
