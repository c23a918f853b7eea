import { once } from 'node:events';
import net from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startProgram } from './peers/program.ts';

let engine: Awaited<ReturnType<typeof startProgram>>;
beforeAll(async () => {
  engine = await startProgram(new URL('engine.ts', import.meta.url));
});
afterAll(() => {
  engine.child.kill();
});

const ask = (more: object = {}): Promise<Response> =>
  fetch(engine.url, { method: 'POST', body: JSON.stringify({ model: 'm', messages: [], ...more }) });
const eventsOf = (text: string): string[] =>
  text
    .split('\n\n')
    .filter((event) => event !== '')
    .map((event) => event.replace(/^data: /, ''));

describe('the engine of the benchmark', () => {
  it('answers a chat completion with usage, which the gateway records', async () => {
    const answer = await ask();
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(await answer.json()).toMatchObject({
      object: 'chat.completion',
      choices: [{ finish_reason: 'stop' }],
      usage: { prompt_tokens: 200, completion_tokens: 80 },
    });
  });

  it('streams a hundred events, then usage and the end', async () => {
    const answer = await ask({ stream: true });
    expect(answer.headers.get('content-type')).toBe('text/event-stream');
    const events = eventsOf(await answer.text());
    expect(events).toHaveLength(102);
    expect(events.slice(-2)).toEqual([expect.stringContaining('"usage"'), '[DONE]']);
    for (const event of events.slice(0, 100)) expect(JSON.parse(event)).toMatchObject({ choices: [{ index: 0 }] });
  });

  it('paces them where that is asked, each with the time at which it left', async () => {
    const before = process.hrtime.bigint();
    const text = await (await ask({ stream: true, paced: true })).text();
    const after = process.hrtime.bigint();
    const stamps = [...text.matchAll(/@(\d+)@/g)].map(([, stamp = '0']) => BigInt(stamp));
    expect(stamps).toHaveLength(100);
    expect(stamps).toEqual(stamps.toSorted((one, other) => (one < other ? -1 : 1)));
    expect((stamps[0] ?? 0n) > before && (stamps[99] ?? after) < after).toBe(true);
    expect(eventsOf(text)).toHaveLength(102);
  });

  it.each([
    ['a length', 'POST / HTTP/1.1\r\nContent-Length: 16\r\n\r\n{"stream": false'],
    ['chunks', 'POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n3\r\n1\r\n\r\n0\r\n\r\n'],
    ['no body', 'GET /v1/models HTTP/1.1\r\nhost: x\r\n\r\n'],
  ])('reads requests with %s in any packets, and several in one', async (_, request) => {
    const socket = net.connect(Number(engine.url.port), '127.0.0.1').setNoDelay(true);
    let text = '';
    socket.setEncoding('latin1').on('data', (part) => {
      text += part;
    });
    const answers = async (count: number): Promise<void> => {
      while (text.split('HTTP/1.1 200 OK').length <= count) await once(socket, 'data');
    };
    for (const letter of request) {
      socket.write(letter);
      await new Promise((done) => {
        setImmediate(done);
      });
    }
    await answers(1);
    socket.write(request + request + request.slice(0, 20));
    await answers(3);
    socket.write(request.slice(20));
    await answers(4);
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(Array.from({ length: 4 }, () => 'HTTP/1.1 200'));
    socket.destroy();
  });
});

it('ends with the program that started it', async () => {
  const { child } = await startProgram(new URL('engine.ts', import.meta.url));
  const ended = once(child, 'exit');
  child.disconnect();
  expect(await ended).toEqual([0, null]);
});
