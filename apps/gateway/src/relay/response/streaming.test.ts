import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { profile as onPremise } from '../../profile/on-premise.ts';
import { ask, HELLO, watch } from '../../testing/caller.ts';
import { eventually } from '../../testing/eventually.ts';
import { startWorld, type World } from '../../testing/world.ts';

const event = (text: string): string => `data: {"choices":[{"index":0,"delta":{"content":"${text}"}}]}\n\n`;

describe.each([
  ['hosted', undefined],
  ['restricted', onPremise],
])('streams of the %s profile', (_, profile) => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld(profile === undefined ? {} : { profile });
  });
  afterAll(() => world.stop());
  const stream = { ...HELLO, stream: true };

  // relay-18
  it('arrive part by part when the caller requested one, with any content type', async () => {
    const { promise: opened, resolve: open } = Promise.withResolvers<void>();
    world.engine.on('/parts', async (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '21' });
      response.write('{"part":[');
      await opened;
      response.end('1],"more":2}');
    });
    const answer = watch(world.port, '/chat/parts', { key: world.key, body: stream });
    await answer.shows('{"part":[');
    open();
    expect(await answer.done).toBe('complete');
    expect((await answer.head).headers['content-length']).toBeUndefined();
    expect(answer.text()).toBe('{"part":[1],"more":2}');
  });

  it('arrive part by part when the provider sends one, requested or not', async () => {
    const { promise: opened, resolve: open } = Promise.withResolvers<void>();
    world.engine.on('/events', async (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
      response.write(event('One '));
      await opened;
      response.end(event('two.'));
    });
    const answer = watch(world.port, '/chat/events', { key: world.key });
    await answer.shows('One ');
    open();
    expect(await answer.done).toBe('complete');
    expect(answer.text()).toBe(event('One ') + event('two.'));
  });

  it('show their head before their first byte', async () => {
    const { promise: opened, resolve: open } = Promise.withResolvers<void>();
    world.engine.on('/silent', async (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.flushHeaders();
      await opened;
      response.end();
    });
    const answer = watch(world.port, '/chat/silent', { key: world.key, body: stream });
    expect((await answer.head).statusCode).toBe(200);
    open();
    expect(await answer.done).toBe('complete');
  });

  // relay-20
  it('end at the provider when the caller leaves before the first byte', async () => {
    world.engine.on('/never', () => {});
    const key = await world.account('early');
    const arrived = world.engine.next('/never');
    const answer = watch(world.port, '/chat/never', { key });
    const { closed } = await arrived;
    answer.leave();
    await closed;
    await eventually(async () => expect(await world.usage('early')).toHaveLength(1));
    expect((await world.usage('early')).at(-1)).toMatchObject({
      interrupted: true,
      usage_source: 'estimated',
      output_tokens: 0n,
    });
  });

  it('end at the provider when the caller leaves in the middle', async () => {
    world.engine.on('/left', (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(event('One two three. '));
    });
    const key = await world.account('middle');
    const arrived = world.engine.next('/left');
    const answer = watch(world.port, '/chat/left', { key, body: stream });
    const { closed } = await arrived;
    await answer.shows('One two three.');
    answer.leave();
    await closed;
    await eventually(async () => expect(await world.usage('middle')).toHaveLength(1));
    const row = (await world.usage('middle')).at(-1)!;
    expect(row).toMatchObject({ interrupted: true, usage_source: 'estimated' });
    expect(row['output_tokens']).toBeGreaterThan(0n);
    expect(row['input_tokens']).toBeGreaterThan(0n);
  });

  it('end at the provider when the caller leaves during a plain answer', async () => {
    world.engine.on('/plain-left', (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
      response.write('{"choices":');
    });
    const key = await world.account('plain');
    const arrived = world.engine.next('/plain-left');
    const answer = watch(world.port, '/chat/plain-left', { key });
    const { closed } = await arrived;
    answer.leave();
    await closed;
    await eventually(async () => expect(await world.usage('plain')).toHaveLength(1));
    expect((await world.usage('plain')).at(-1)).toMatchObject({ interrupted: true });
  });

  it('leave no connection open when callers leave under back-pressure', async () => {
    // A caller that does not read pauses the provider; if it then leaves, the provider's connection must be released.
    const chunk = Buffer.alloc(64 * 1024, 'x');
    world.engine.on('/flood', (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const flow = (): void => {
        while (!response.destroyed && response.write(chunk));
        if (!response.destroyed) response.once('drain', flow);
      };
      flow();
    });
    const key = await world.account('flooded');
    const calls: { answer: ReturnType<typeof watch>; closed: Promise<void> }[] = [];
    // One after the other: on a busy machine twenty concurrent floods would delay the database too much.
    for (let call = 0; call < 20; call += 1) {
      const arrived = world.engine.next('/flood');
      const answer = watch(world.port, '/chat/flood', { key, body: stream });
      const head = await answer.head;
      head.pause();
      expect(head.statusCode).toBe(200);
      calls.push({ answer, closed: (await arrived).closed });
    }
    for (const { answer } of calls) answer.leave();
    await Promise.all(calls.map(({ closed }) => closed));
    await eventually(async () => expect(await world.usage('flooded')).toHaveLength(20));
    // The pool still serves.
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(world.port, '/chat/x', { key })));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
  });

  it('pause the provider while the caller does not read', async () => {
    let written = 0;
    const chunk = Buffer.alloc(64 * 1024, 'x');
    const total = 32 * 1024 * 1024;
    world.engine.on('/slow-reader', (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const flow = (): void => {
        while (written < total) {
          written += chunk.length;
          if (!response.write(chunk)) {
            response.once('drain', flow);
            return;
          }
        }
        response.end();
      };
      flow();
    });
    const answer = watch(world.port, '/chat/slow-reader', { key: world.key, body: stream });
    const head = await answer.head;
    head.pause();
    let before = -1;
    await eventually(() => {
      const now = written;
      const still = now === before;
      before = now;
      expect(still).toBe(true);
    }, 100);
    expect(written).toBeLessThan(total / 2);
    head.resume();
    expect(await answer.done).toBe('complete');
    expect(written).toBe(total);
  });

  it('pause the caller while the provider does not read', async () => {
    const { promise: opened, resolve: open } = Promise.withResolvers<void>();
    let taken = 0;
    world.engine.on(
      '/slow-engine',
      async (_request, response, incoming) => {
        await opened;
        incoming.on('data', (chunk: Buffer) => {
          taken += chunk.length;
        });
        incoming.once('end', () => response.end('done'));
      },
      true,
    );
    const arrived = world.engine.next('/slow-engine');
    const body = Buffer.alloc(48 * 1024 * 1024, 'x');
    const answer = watch(world.port, '/chat/slow-engine', { key: world.key, body });
    await arrived;
    const drained = once(answer.outgoing, 'drain').then(() => 'drained');
    expect(await Promise.race([drained, new Promise((resolve) => setTimeout(resolve, 300, 'held'))])).toBe('held');
    open();
    expect(await answer.done).toBe('complete');
    expect(taken).toBe(body.length);
  });
});

describe('the limits of a call', () => {
  // refusals-18
  it('are a cap on its duration: 504 before the head, a cut after it', async () => {
    // Long enough for the head of an answer to arrive on a busy machine.
    const world = await startWorld({ environment: { GATEWAY_REQUEST_TIMEOUT_SECONDS: '5' } });
    world.engine.on('/silent', () => {});
    world.engine.on('/endless', (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(event('One '));
    });
    const arrived = [world.engine.next('/silent'), world.engine.next('/endless')];
    const [silent, endless] = await Promise.all([
      ask(world.port, '/chat/silent', { key: world.key }),
      watch(world.port, '/chat/endless', { key: world.key }).done,
    ]);
    expect(silent).toMatchObject({
      status: 504,
      json: { error: 'The request exceeded the duration cap of 5 seconds.' },
    });
    expect(endless).toBe('broken');
    for (const one of arrived) await (await one).closed;
    await eventually(async () => expect(await world.usage()).toHaveLength(1));
    expect((await world.usage())[0]).toMatchObject({ interrupted: true, usage_source: 'estimated' });
    await world.stop();
  });

  it('limit the silence once an answer has begun', async () => {
    const world = await startWorld({ environment: { GATEWAY_UPSTREAM_IDLE_SECONDS: '1' } });
    world.engine.on('/stuck', (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(event('One '));
    });
    const arrived = world.engine.next('/stuck');
    expect(await watch(world.port, '/chat/stuck', { key: world.key }).done).toBe('broken');
    await (await arrived).closed;
    await world.stop();
  });

  it('cut off only a caller who does not read for a long time', async () => {
    const world = await startWorld({ environment: { GATEWAY_UPSTREAM_IDLE_SECONDS: '1' } });
    const chunk = Buffer.alloc(1024 * 1024, 'x');
    world.engine.on('/flood', (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const flow = (): void => {
        while (!response.destroyed && response.write(chunk));
        if (!response.destroyed) response.once('drain', flow);
      };
      flow();
    });
    const arrived = world.engine.next('/flood');
    const stuck = watch(world.port, '/chat/flood', { key: world.key });
    (await stuck.head).pause();
    await (await arrived).closed;
    expect((await ask(world.port, '/chat/x', { key: world.key })).status).toBe(200);
    stuck.leave();
    await world.stop();
  });
});
