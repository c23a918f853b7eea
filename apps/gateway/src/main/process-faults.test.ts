import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase, keyOf, type TestDatabase } from '@gateway/database/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, HELLO, watch } from '../testing/caller.ts';
import { declareChat } from '../testing/declare-chat.ts';
import { type Engine, startEngine } from '../testing/engine.ts';
import { eventually } from '../testing/eventually.ts';
import { startProcess } from '../testing/process.ts';

const PATHS = ['/chat/stream', '/chat/plain', '/chat/uncounted'];
/** Counting it takes so long that other work happens in between. */
const LONG = { stream: true, messages: [{ role: 'user', content: 'a word '.repeat(300_000) }] };
const STREAM = { ...HELLO, stream: true };

describe('a gateway that ends', () => {
  let engine: Engine;
  let database: TestDatabase;
  let folder: string;
  beforeAll(async () => {
    [engine, database] = await Promise.all([startEngine(), createTestDatabase()]);
    folder = mkdtempSync(join(tmpdir(), 'gateway-faults-'));
    await declareChat(database.sql, engine);
    engine.on('/stream', (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: {"choices":[{"delta":{"content":"One"}}]}\n\n');
      setImmediate(() => response.end('data: {"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":1}}\n\n'));
    });
    engine.on('/uncounted', (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end('data: {"choices":[{"delta":{"content":"One"}}]}\n\n');
    });
  });
  afterAll(async () => {
    await engine.stop();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });
  const key = keyOf('caller');
  const start = (more: Record<string, string> = {}) =>
    startProcess({ DATABASE_URL: database.gatewayUrl, GATEWAY_STATE_DIR: folder, ...more });
  const granted = async (): Promise<Set<unknown>> =>
    new Set(
      (await database.sql`select request_id from authorization_decisions where outcome = 'granted'`).map(
        (row) => row['request_id'],
      ),
    );
  /** Request ids of the calls that have a usage row. */
  const metered = async (): Promise<Set<unknown>> =>
    new Set(
      (await database.sql`select d.request_id from request_logs l join authorization_decisions d on d.id = l.id`).map(
        (row) => row['request_id'],
      ),
    );

  const rowOf = async (id: string): Promise<unknown> => {
    const [row] = await database.sql`
      select l.interrupted, l.usage_source as source, l.input_tokens::int as input, l.output_tokens::int as output
      from request_logs l join authorization_decisions d on d.id = l.id where d.request_id = ${id}`;
    return row;
  };

  // limits-12
  it('by kill -9 has relayed nothing without an earlier decision, and loses no usage of what callers got', async () => {
    const whole: string[] = [];
    for (let round = 0; round < 4; round += 1) {
      const gateway = await start();
      const state = { killed: false };
      const caller = async (name: string): Promise<void> => {
        for (let call = 0; !state.killed; call += 1) {
          const id = `${round}-${name}-${call}`;
          const path = PATHS[call % PATHS.length] as string;
          const asking = { key, headers: { 'x-request-id': id }, body: path === '/chat/plain' ? HELLO : STREAM };
          const done = await watch(gateway.port, path, asking).done;
          if (done === 'complete') whole.push(id);
        }
      };
      const callers = Array.from({ length: 8 }, (_, index) => caller(String(index)));
      const until = whole.length + 40 + round * 13;
      await eventually(() => expect(whole.length).toBeGreaterThan(until), 1);
      state.killed = true;
      gateway.signal('SIGKILL');
      await Promise.all([gateway.ended, ...callers]);
    }
    const received = engine.received.map(({ headers }) => headers['x-request-id']);
    const approved = await granted();
    expect(received.filter((id) => !approved.has(id))).toEqual([]);
    const successor = await start();
    await eventually(async () => {
      const rows = await metered();
      expect(whole.filter((id) => !rows.has(id))).toEqual([]);
    });
    const [sums] = await database.sql`
      select (select sum(input_tokens) from usage_totals) as totals, (select sum(input_tokens) from request_logs) as rows`;
    expect(sums?.['totals']).toEqual(String(sums?.['rows']));
    successor.signal('SIGTERM');
    expect(await successor.ended).toBe(0);
  });

  it('by kill -9 while it counts tokens itself leaves a rough count', async () => {
    const gateway = await start();
    const asking = { key, headers: { 'x-request-id': 'uncounted' }, body: LONG };
    expect(await watch(gateway.port, '/chat/uncounted', asking).done).toBe('complete');
    gateway.signal('SIGKILL');
    await gateway.ended;
    const successor = await start();
    await eventually(async () => expect(await rowOf('uncounted')).toMatchObject({ interrupted: false, output: 1 }));
    expect(await rowOf('uncounted')).toMatchObject({ source: 'estimated', input: expect.closeTo(500_000, -5) });
    successor.signal('SIGTERM');
    expect(await successor.ended).toBe(0);
  });

  // limits-13
  it('by SIGTERM under load lets answers end, accepts no more requests, writes its records, and exits 0', async () => {
    const gateway = await start({ GATEWAY_DRAIN_SECONDS: '20' });
    const opened = Promise.withResolvers<void>();
    engine.on('/held', (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: {"choices":[{"delta":{"content":"One"}}]}\n\n');
      opened.promise.then(() => response.end('data: [DONE]\n\n')).catch(() => {});
    });
    const running = Array.from({ length: 5 }, (_, index) =>
      watch(gateway.port, '/chat/held', { key, body: STREAM, headers: { 'x-request-id': `held-${index}` } }),
    );
    await Promise.all(running.map((answer) => answer.shows('One')));
    gateway.signal('SIGTERM');
    await eventually(async () => expect(ask(gateway.port, '/chat/plain', { key })).rejects.toThrow(/ECONNREFUSED/));
    opened.resolve();
    expect(await Promise.all(running.map(({ done }) => done))).toEqual(Array.from({ length: 5 }, () => 'complete'));
    expect(await gateway.ended).toBe(0);
    const rows = await metered();
    expect(running.every((_, index) => rows.has(`held-${index}`))).toBe(true);
  });

  it('by SIGTERM cuts what does not end in time, and records it as interrupted', async () => {
    const gateway = await start({ GATEWAY_DRAIN_SECONDS: '1' });
    engine.on('/endless', (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: {"choices":[{"delta":{"content":"One"}}]}\n\n');
    });
    const answer = watch(gateway.port, '/chat/endless', { key, body: STREAM, headers: { 'x-request-id': 'endless' } });
    await answer.shows('One');
    gateway.signal('SIGTERM');
    expect(await answer.done).toBe('broken');
    expect(await gateway.ended).toBe(0);
    expect(await rowOf('endless')).toMatchObject({ interrupted: true });
    expect(gateway.said()).toMatch(/1 answers were cut at the end of GATEWAY_DRAIN_SECONDS/);
  });

  it('by SIGTERM counts cut answers before it ends, even if that takes long', async () => {
    const gateway = await start({ GATEWAY_DRAIN_SECONDS: '1' });
    const answer = watch(gateway.port, '/chat/endless', { key, body: LONG, headers: { 'x-request-id': 'long' } });
    await answer.shows('One');
    gateway.signal('SIGTERM');
    expect(await answer.done).toBe('broken');
    expect(await gateway.ended).toBe(0);
    expect(await rowOf('long')).toEqual({ interrupted: true, source: 'estimated', input: 600_001, output: 1 });
  });

  it('by SIGTERM while idle ends immediately, with or without open connections', async () => {
    const gateway = await start({ GATEWAY_DRAIN_SECONDS: '60' });
    await ask(gateway.port, '/chat/plain', { key, headers: { connection: 'keep-alive' } });
    gateway.signal('SIGTERM');
    expect(await gateway.ended).toBe(0);
  });

  it('not because its output is no longer read', async () => {
    const gateway = await start();
    gateway.deafen();
    for (const _ of ['once', 'again']) {
      gateway.signal('SIGHUP'); // it logs a line
      expect((await ask(gateway.port, '/chat/plain', { key })).status).toBe(200);
    }
    gateway.signal('SIGTERM');
    expect(await gateway.ended).toBe(0);
  });
});
