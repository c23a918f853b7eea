import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keyOf, startTestServer, type TestServer } from '@gateway/database/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, HELLO, watch } from '../testing/caller.ts';
import { declareChat } from '../testing/declare-chat.ts';
import { type Engine, startEngine } from '../testing/engine.ts';
import { eventually } from '../testing/eventually.ts';
import { type GatewayProcess, startProcess } from '../testing/process.ts';

const UNDECIDED = { error: 'Authorization decision could not be made, so the request was refused.' };
const UNMETERED = {
  error: 'This answer could not be metered, so it was not served. Nothing was billed for it either.',
};

describe('a database that becomes unavailable', () => {
  let engine: Engine;
  let server: TestServer;
  let gateway: GatewayProcess;
  let folder: string;
  const key = keyOf('caller');
  beforeAll(async () => {
    [engine, server] = await Promise.all([startEngine(), startTestServer()]);
    folder = mkdtempSync(join(tmpdir(), 'gateway-database-faults-'));
    await server.asOwner((sql) => declareChat(sql, engine));
    gateway = await startProcess({ DATABASE_URL: server.gatewayUrl, GATEWAY_STATE_DIR: folder });
  });
  afterAll(async () => {
    gateway.signal('SIGTERM');
    await gateway.ended;
    await engine.stop();
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const call = (path = '/chat/x') => ask(gateway.port, path, { key });
  const serves = () => eventually(async () => expect((await call()).status).toBe(200));
  /** Rows with these counts. */
  const rows = (input: number, output: number) =>
    server.asOwner(async (sql) => [
      ...(await sql`select from request_logs where input_tokens = ${input} and output_tokens = ${output}`),
    ]);

  it('by a crash: 503 and nothing relayed meanwhile, then it resumes by itself', async () => {
    await serves();
    await server.kill();
    const before = engine.received.length;
    for (let round = 0; round < 3; round += 1) {
      const { status, json } = await call();
      expect({ status, json }).toEqual({ status: 503, json: UNDECIDED });
    }
    expect(engine.received).toHaveLength(before);
    const reported = (line: string): number => gateway.said().split(line).length - 1;
    expect(reported('DATABASE_URL: the database fails, and calls are refused with 503 meanwhile: ')).toBe(1);
    await server.restart();
    await serves();
    await eventually(async () => expect(reported('DATABASE_URL: the database answers again.')).toBe(1));
  });

  // limits-11
  it('by freezing: 503 within its budget, nothing relayed then or after the thaw', async () => {
    await serves();
    server.freeze();
    const before = engine.received.length;
    const answers = await Promise.all([call('/chat/frozen'), call('/chat/frozen'), call('/chat/frozen')]);
    server.thaw();
    expect(answers.map(({ status, json }) => ({ status, json }))).toEqual(
      answers.map(() => ({ status: 503, json: UNDECIDED })),
    );
    await serves();
    expect(engine.received.slice(before).filter(({ url }) => url.endsWith('/frozen'))).toEqual([]);
  });

  it('while the provider answers: a plain answer is delayed, a stream is written once it recovers', async () => {
    await serves();
    const asked = Promise.withResolvers<void>();
    const gone = Promise.withResolvers<void>();
    engine.on('/plain-late', async (_, response) => {
      asked.resolve();
      await gone.promise;
      response.end('{"usage":{"prompt_tokens":1,"completion_tokens":1}}');
    });
    engine.on('/stream-late', async (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: {"choices":[{"delta":{"content":"One"}}]}\n\n');
      await gone.promise;
      response.end('data: {"choices":[],"usage":{"prompt_tokens":70,"completion_tokens":7}}\n\n');
    });
    const plain = call('/chat/plain-late');
    const streamed = watch(gateway.port, '/chat/stream-late', { key, body: { ...HELLO, stream: true } });
    await Promise.all([asked.promise, streamed.shows('One')]);
    await server.kill();
    gone.resolve();
    const { status, json } = await plain;
    expect({ status, json }).toEqual({ status: 503, json: UNMETERED });
    expect(await streamed.done).toBe('complete');
    await server.restart();
    await serves();
    await eventually(async () => expect(await rows(70, 7)).toHaveLength(1));
  });

  // log-12
  it('for the whole of a drain: usage waits on disk for the next process, and refusals that are lost are counted', async () => {
    await serves();
    const gone = Promise.withResolvers<void>();
    engine.on('/stream-left', async (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: {"choices":[{"delta":{"content":"One"}}]}\n\n');
      await gone.promise;
      response.end('data: {"choices":[],"usage":{"prompt_tokens":80,"completion_tokens":8}}\n\n');
    });
    const streamed = watch(gateway.port, '/chat/stream-left', { key, body: { ...HELLO, stream: true } });
    await streamed.shows('One');
    await server.kill();
    gone.resolve();
    expect(await streamed.done).toBe('complete');
    expect((await ask(gateway.port, '/chat/x')).status).toBe(401);
    gateway.signal('SIGTERM');
    expect(await gateway.ended).toBe(0);
    expect(gateway.said()).toContain('Refusals that could not be recorded in the decision log before the end: 1.');
    await server.restart();
    gateway = await startProcess({ DATABASE_URL: server.gatewayUrl, GATEWAY_STATE_DIR: folder });
    await eventually(async () => expect(await rows(80, 8)).toHaveLength(1));
  });
});
