import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWorld, type World } from '../testing/world.ts';

const STREAMS = 200;
const EVENTS = 10;

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world?.stop());

const event = (content: string): string => `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`;

function open(path: string): Promise<IncomingMessage> {
  const body = JSON.stringify({ model: 'any', stream: true, messages: [{ role: 'user', content: 'Hello' }] });
  return new Promise((resolve, reject) => {
    const outgoing = request({
      host: '127.0.0.1',
      port: world.port,
      method: 'POST',
      path: `/chat/v1/${path}`,
      agent: false,
      headers: {
        authorization: `Bearer ${world.key}`,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      },
    });
    outgoing.once('error', reject).once('response', resolve);
    outgoing.end(body);
  });
}

/** The engine's side of the streams that were opened, and the callers' side of them. */
async function openStreams(path: string) {
  const engineSide: ServerResponse[] = [];
  world.engine.on(path, (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
    engineSide.push(response);
  });
  const callerSide = await Promise.all(Array.from({ length: STREAMS }, () => open(path)));
  return { engineSide, callerSide };
}

/** What a caller has read; `until` resolves once it contains a text. */
class Reader {
  text = '';
  readonly #incoming: IncomingMessage;

  constructor(incoming: IncomingMessage) {
    this.#incoming = incoming;
    incoming.on('error', () => {});
    incoming.setEncoding('utf8').on('data', (part: string) => {
      this.text += part;
    });
  }

  until(text: string): Promise<void> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (!this.text.includes(text)) return;
        this.#incoming.off('data', look);
        resolve();
      };
      this.#incoming.on('data', look);
      look();
    });
  }
}

/** The engine writes an event only once every caller has the previous one: a delayed event fails the test. */
async function inStep(engineSide: readonly ServerResponse[], readers: readonly Reader[], from: number): Promise<void> {
  for (let number = from; number < from + EVENTS; number += 1) {
    for (const response of engineSide) response.write(event(`event ${number} `));
    await Promise.all(readers.map((one) => one.until(event(`event ${number} `))));
  }
}

describe('many open streams', () => {
  it('get each event before the engine writes the next, whole and in order', async () => {
    const { engineSide, callerSide } = await openStreams('chat/completions');
    const readers = callerSide.map((incoming) => new Reader(incoming));
    await inStep(engineSide, readers, 0);
    const expected = Array.from({ length: EVENTS }, (_, number) => event(`event ${number} `)).join('');
    expect(readers.filter(({ text }) => text !== expected)).toEqual([]);
    for (const response of engineSide) response.end('data: [DONE]\n\n');
    await Promise.all(readers.map((one) => one.until('[DONE]')));
  });

  it('continue beside callers that read nothing, whose engines are paused', async () => {
    const piece = event('a b c d '.repeat(8192));
    let poured = 0;
    world.engine.on('embeddings', (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const pour = (): void => {
        for (let hasRoom = true; hasRoom && !response.destroyed; poured += 1) hasRoom = response.write(piece);
      };
      response.on('drain', pour);
      pour();
    });
    const slow = await Promise.all(Array.from({ length: 4 }, () => open('embeddings')));
    const { engineSide, callerSide } = await openStreams('chat/completions');
    const readers = callerSide.map((incoming) => new Reader(incoming));
    await inStep(engineSide, readers, 0);
    // Data for a caller that reads nothing is in socket buffers: it stops growing while the others continue.
    let before = -1;
    for (let number = EVENTS; before !== poured; number += EVENTS) {
      before = poured;
      await inStep(engineSide, readers, number);
    }
    expect(poured * piece.length).toBeGreaterThan(0);
    expect((poured * piece.length) / slow.length).toBeLessThan(32 * 2 ** 20);
    for (const one of [...slow, ...callerSide]) one.destroy();
  });
});
