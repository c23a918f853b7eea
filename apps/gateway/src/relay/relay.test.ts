import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ask, HELLO, watch } from '../testing/caller.ts';
import { COMPLETION } from '../testing/engine.ts';
import { startWorld, type World } from '../testing/world.ts';

describe('a relayed call', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.stop());

  it('reaches the engine and comes back', async () => {
    const { status, json } = await ask(world.port, '/chat/v1/chat/completions', { key: world.key });
    expect({ status, json }).toEqual({ status: 200, json: COMPLETION });
    expect(world.engine.received.at(-1)?.url).toBe('/base/v1/chat/completions');
    expect(JSON.parse(world.engine.received.at(-1)!.body.toString())).toEqual({ ...HELLO, model: 'served-model' });
    const [row] = await world.usage();
    expect(row).toMatchObject({ endpoint: 'chat', model: 'served-model', input_tokens: 11n, output_tokens: 7n });
  });

  it('streams', async () => {
    world.engine.on('/stream', (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end('data: {"choices":[{"delta":{"content":"Hi"}}]}\n\ndata: [DONE]\n\n');
    });
    const answer = watch(world.port, '/chat/stream', { key: world.key, body: { ...HELLO, stream: true } });
    expect(await answer.done).toBe('complete');
    expect(answer.text()).toContain('[DONE]');
    await vi.waitFor(async () => expect(await world.usage()).toHaveLength(2));
  });
});
