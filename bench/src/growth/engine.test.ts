import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { event, type HeldEngine, startHeldEngine } from './engine.ts';

const engines: HeldEngine[] = [];
afterEach(() => {
  for (const engine of engines.splice(0)) engine.close();
});
async function open(): Promise<HeldEngine> {
  const engine = await startHeldEngine();
  engines.push(engine);
  return engine;
}
const ask = (engine: HeldEngine, body: object): Promise<Response> =>
  fetch(engine.url, { method: 'POST', body: JSON.stringify(body) });

describe('the engine of the growth benchmark', () => {
  it('answers a plain call at once, with its usage', async () => {
    const engine = await open();
    const answer = await ask(engine, { model: 'any' });
    expect(await answer.json()).toMatchObject({ object: 'chat.completion', usage: { total_tokens: 280 } });
    expect(engine.streams).toHaveLength(0);
  });

  it('keeps a stream open, and sends what the benchmark writes to it', async () => {
    const engine = await open();
    const answer = await ask(engine, { stream: true });
    expect(answer.headers.get('content-type')).toBe('text/event-stream');
    engine.streams[0]?.write(event(7));
    engine.streams[0]?.end();
    const text = await answer.text();
    expect(text).toMatch(/^data: \{.*\}\n\n$/);
    expect(JSON.parse(text.slice(6))).toMatchObject({ choices: [{ delta: { content: 'event 7 ' } }] });
  });

  it('has the streams in the order in which they began', async () => {
    const engine = await open();
    const answers: Response[] = [];
    for (let number = 0; number < 3; number += 1) answers.push(await ask(engine, { stream: true }));
    for (const [number, stream] of engine.streams.entries()) stream.end(event(number));
    const texts = await Promise.all(answers.map((answer) => answer.text()));
    expect(texts).toEqual([event(0), event(1), event(2)]);
  });

  it('ends its streams when it is closed', async () => {
    const engine = await open();
    await ask(engine, { stream: true });
    const [stream] = engine.streams;
    const closed = stream === undefined ? Promise.reject(new Error('no stream')) : once(stream, 'close');
    engine.close();
    await closed;
    await expect(ask(engine, {})).rejects.toThrow('fetch failed');
  });
});
