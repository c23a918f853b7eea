import { brotliCompressSync, createGzip, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ask, HELLO, watch } from '../../testing/caller.ts';
import { COMPLETION } from '../../testing/engine.ts';
import { startWorld, type World } from '../../testing/world.ts';
import { delta, event } from './testing/answers.ts';
import { rowOf } from './testing/row-of.ts';

describe('usage', () => {
  let world: World;
  let subject: string;
  let key: string;
  let count = 0;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    subject = `subject-${(count += 1)}`;
    key = await world.account(subject);
  });

  it.each([
    ['gzip', 'application/json', gzipSync(JSON.stringify(COMPLETION))],
    ['br', 'application/json', brotliCompressSync(JSON.stringify(COMPLETION))],
    ['gzip', 'text/event-stream', gzipSync(`${event({ choices: [], usage: COMPLETION.usage })}data: [DONE]\n\n`)],
  ])('is read from an answer in %s (%s)', async (coding, type, body) => {
    const path = `/${coding}-${type.slice(-4)}`;
    world.engine.on(path, (_, response) => {
      response.writeHead(200, { 'content-type': type, 'content-encoding': coding }).end(body);
    });
    await ask(world.port, `/chat${path}`, { key });
    expect(await rowOf(world, subject)).toMatchObject({
      input_tokens: 11n,
      output_tokens: 7n,
      usage_source: 'reported',
    });
  });

  it('is read of a compressed stream whose caller leaves after its last event', async () => {
    world.engine.on('/gzip-left', (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' });
      const gzip = createGzip();
      gzip.pipe(response);
      gzip.write(delta('One two three.'));
      gzip.write(event({ choices: [], usage: COMPLETION.usage }));
      gzip.flush();
    });
    const answer = watch(world.port, '/chat/gzip-left', { key, body: { ...HELLO, stream: true } });
    await answer.shows('"usage"');
    answer.leave();
    expect(await rowOf(world, subject)).toMatchObject({
      input_tokens: 11n,
      usage_source: 'reported',
      interrupted: false,
    });
  });

  it('is estimated where the counts are impossible, and the record can be written', async () => {
    const usage = { prompt_tokens: Number.MAX_SAFE_INTEGER, completion_tokens: -5, total_tokens: 1e300 };
    const answer = JSON.stringify({ choices: [{ message: { content: 'One two three.' } }], usage });
    world.engine.on('/absurd', (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(answer);
    });
    await ask(world.port, '/chat/absurd', { key });
    expect(await rowOf(world, subject)).toMatchObject({
      input_tokens: 3n,
      output_tokens: 4n,
      usage_source: 'estimated',
    });
  });
});
