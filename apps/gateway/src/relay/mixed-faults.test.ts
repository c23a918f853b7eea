import type { Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, watch } from '../testing/caller.ts';
import { eventually } from '../testing/eventually.ts';
import { type RawAnswer, type RawEngine, startRawEngine } from '../testing/raw-engine.ts';
import { startWorld, type World } from '../testing/world.ts';

const OK = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';

let world: World;
const engines: RawEngine[] = [];
beforeAll(async () => {
  world = await startWorld();
});
afterAll(async () => {
  await Promise.all(engines.map((engine) => engine.stop()));
  await world.stop();
});

async function serve(name: string, answer: RawAnswer): Promise<{ engine: RawEngine; key: string }> {
  const engine = await startRawEngine(answer);
  engines.push(engine);
  await world.serve(name, { baseUrl: engine.url });
  return { engine, key: await world.account(name) };
}

const answerOf = (said: string): string => {
  const body = JSON.stringify({
    choices: [{ message: { content: said } }],
    usage: { prompt_tokens: 1, completion_tokens: 1 },
  });
  return `${OK}content-length: ${body.length}\r\n\r\n${body}`;
};
const callOf = (head: string): string => /\r\nx-call: (\S+)/i.exec(head)?.[1] ?? '';

/** How the engine treats a call, by the last digit of its number. */
function treat(socket: Socket, head: string): void {
  const call = callOf(head);
  const how = Number(call) % 5;
  if (how === 1) socket.resetAndDestroy();
  else if (how === 2) socket.end(answerOf(call).slice(0, -5));
  else if (how === 3) socket.write(`${answerOf(call)}${answerOf('of nobody')}`);
  else if (how === 4) socket.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n');
  else socket.write(answerOf(call));
}

describe('an engine that fails some of many calls at once', () => {
  const COUNT = 60;

  it('fails them alone: every other caller gets its own answer, and the logs say which was which', async () => {
    const { key, engine } = await serve('mixed', treat);
    const outcomes = await Promise.all(
      Array.from({ length: COUNT }, async (_, nth) => {
        const watched = watch(world.port, '/mixed/chat/completions', {
          key,
          headers: { 'x-call': String(nth), 'x-request-id': `mixed-${nth}` },
        });
        const status = await watched.head.then(
          ({ statusCode }) => statusCode,
          () => null,
        );
        return { nth, status, done: await watched.done, text: watched.text() };
      }),
    );
    const whole = outcomes.filter(({ nth }) => nth % 5 === 0 || nth % 5 === 3);
    for (const { nth, status, done, text } of whole) {
      expect([nth, status, done]).toEqual([nth, 200, 'complete']);
      expect(text).toContain(`"content":"${nth}"`);
    }
    for (const { nth, status, done, text } of outcomes.filter((one) => !whole.includes(one))) {
      expect([nth, status === 200 && done === 'complete']).toEqual([nth, false]);
      expect(text).not.toContain('of nobody');
    }
    expect(engine.requests()).toBe(COUNT);
    const entries = await Promise.all(outcomes.map(({ nth }) => world.entries(`mixed-${nth}`)));
    expect(entries.map((rows) => rows.map(({ outcome }) => outcome))).toEqual(outcomes.map(() => ['granted']));
    await eventually(async () => {
      const rows = await world.usage('mixed');
      expect(rows.filter(({ interrupted }) => interrupted === false)).toHaveLength(whole.length);
    });
  });

  it('does not disturb calls that come after', async () => {
    const key = await world.account('after');
    for (let nth = 0; nth < 5; nth += 1) {
      const answered = await ask(world.port, '/mixed/chat/completions', {
        key,
        headers: { 'x-call': String(nth * 5) },
      });
      expect([answered.status, answered.text.includes(`"content":"${nth * 5}"`)]).toEqual([200, true]);
    }
  });
});

describe('a provider whose Base URL changes while a call runs', () => {
  it('ends that call at the old address, and gets the next at the new one', async () => {
    const held = Promise.withResolvers<Socket>();
    const { key } = await serve('moved', (socket) => held.resolve(socket));
    const next = await startRawEngine((socket) => socket.write(answerOf('from the new one')));
    engines.push(next);
    const running = ask(world.port, '/moved/chat/completions', { key });
    const socket = await held.promise;
    await world.database.sql`update providers set base_url = ${next.url} where slug = 'moved'`;
    expect((await ask(world.port, '/moved/chat/completions', { key })).text).toContain('from the new one');
    socket.write(answerOf('from the old one'));
    expect((await running).text).toContain('from the old one');
  });

  it('to one that cannot be used is a refusal that names it, and heals with the next change', async () => {
    const { key, engine } = await serve('broken', (socket) => socket.write(answerOf('healed')));
    await world.database.sql`update providers set base_url = 'ftp://engine' where slug = 'broken'`;
    const refused = await ask(world.port, '/broken/chat/completions', { key });
    expect(refused.status).toBe(502);
    expect(refused.text).toContain('The Base URL of provider \\"broken\\" cannot be used: correct it in the console.');
    await world.database.sql`update providers set base_url = ${engine.url} where slug = 'broken'`;
    expect((await ask(world.port, '/broken/chat/completions', { key })).text).toContain('healed');
    expect(engine.requests()).toBe(1);
  });
});

describe('an engine that answers before it has read the request', () => {
  it('refuses a long body at once: its caller gets that answer, and the next call is served', async () => {
    let isFirst = true;
    const { key, engine } = await serve('early', (socket) => socket.write(answerOf('next')));
    engine.onConnection((socket) => {
      if (!isFirst) return;
      isFirst = false;
      socket.once('data', () => {
        socket.pause();
        socket.write(
          'HTTP/1.1 413 Content Too Large\r\ncontent-type: text/plain\r\ncontent-length: 9\r\n\r\ntoo large',
        );
      });
    });
    const body = { messages: [{ role: 'user', content: 'x'.repeat(12 * 2 ** 20) }] };
    const refused = await ask(world.port, '/early/chat/completions', { key, body });
    expect([refused.status, refused.text]).toEqual([413, 'too large']);
    expect((await ask(world.port, '/early/chat/completions', { key })).text).toContain('next');
  });
});
