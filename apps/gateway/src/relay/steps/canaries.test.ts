import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { profile as onPremise } from '../../profile/on-premise.ts';
import { ask, watch } from '../../testing/caller.ts';
import { COMPLETION } from '../../testing/engine.ts';
import { eventually } from '../../testing/eventually.ts';
import { startWorld, type World } from '../../testing/world.ts';

const word = (place: string): string => `canary${place}5150`;
/** Texts that callers and engines send: the gateway may store none of them, from any position. */
const SENT = ['prompt', 'cookie', 'header', 'proof', 'answer', 'answerheader', 'delta', 'query', 'path', 'refusal'].map(
  word,
);

const worlds: World[] = [];
beforeAll(async () => {
  for (const profile of [undefined, onPremise]) {
    const environment = { ENGINE_KEY: word('enginekey') };
    const world = await startWorld({ environment, ...(profile ? { profile } : {}) });
    await world.serve('keyed', { apiKeyEnv: 'ENGINE_KEY', apiKeyHeader: 'x-api-key' });
    await world.serve('nobody', { baseUrl: 'http://127.0.0.1:1' });
    worlds.push(world);
  }
});
afterAll(() => Promise.all(worlds.map((world) => world.stop())));

function filesBelow(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n');
}

async function everyTable(world: World): Promise<string> {
  const { sql } = world.database;
  const tables = await sql<{ name: string }[]>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = 'public'`;
  const texts = await Promise.all(tables.map(({ name }) => sql.unsafe(`select t::text as row from ${name} t`)));
  return JSON.stringify(texts);
}

// log-3
it('texts of callers and engines are in no table, line or file; no key crosses the gateway', async () => {
  for (const world of worlds) {
    const { engine, key, port } = world;
    engine.on(`/${word('path')}`, (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'x-answer': word('answerheader') });
      response.end(JSON.stringify({ ...COMPLETION, note: word('answer') }));
    });
    engine.on('/stream', (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`data: {"choices":[{"delta":{"content":"${word('delta')}"}}]}\n\n`);
    });
    engine.on('/refuses', (_, response) => response.writeHead(429).end(word('refusal')));
    engine.on('/breaks', (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '900' });
      response.write(`{"text":"${word('answer')}`, () => response.destroy());
    });
    const headers = { cookie: `a=${word('cookie')}`, 'x-custom': word('header'), 'x-goog-api-key': key };
    const body = { messages: [{ role: 'user', content: word('prompt') }] };
    const path = `/${word('path')}?q=${word('query')}`;
    const answers = [
      await ask(port, `/keyed${path}`, { key, headers, body }),
      await ask(port, `/nobody${path}`, { key, headers, body }),
      await ask(port, `/keyed/refuses${path}`, { key, headers, body }),
      await ask(port, `/keyed${path}`, { key: word('proof'), headers, body }),
      await ask(port, `/keyed${path}`, { headers: { ...headers, 'x-api-key': word('proof') }, body }),
      await ask(port, `/keyed${path}`, { key, headers, body: `not JSON ${word('prompt')}` }),
      await ask(port, `/nowhere${path}`, { key, headers, body }),
    ];
    expect(await watch(port, '/keyed/breaks', { key, body }).done).toBe('broken');
    const left = watch(port, '/keyed/stream', { key, body: { ...body, stream: true } });
    await left.shows(word('delta'));
    left.leave();
    await eventually(async () => expect((await world.usage()).filter((row) => row['interrupted'])).toHaveLength(2));

    const kept = (await everyTable(world)) + world.reports.join('\n') + filesBelow(world.folder);
    for (const text of [...SENT, word('enginekey'), key]) expect(kept, text).not.toContain(text);
    const own = answers.filter(({ status }) => status !== 200 && status !== 429);
    expect(own).toHaveLength(4);
    for (const text of [...SENT, word('enginekey'), key]) {
      for (const answer of own) expect(answer.text + JSON.stringify(answer.headers), text).not.toContain(text);
    }
    const back = answers.map((answer) => answer.text + answer.rawHeaders.join('\n')).join('\n');
    expect(back).not.toContain(word('enginekey'));
    for (const received of engine.received) {
      expect(received.rawHeaders.join('\n')).not.toContain(key);
      expect(received.headers['x-api-key']).toBe(word('enginekey'));
    }
  }
});
