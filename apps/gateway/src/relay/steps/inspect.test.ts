import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { profile as onPremise } from '../../profile/on-premise.ts';
import { ask, watch } from '../../testing/caller.ts';
import { COMPLETION } from '../../testing/engine.ts';
import { eventually } from '../../testing/eventually.ts';
import { TOKEN } from '../../testing/inspector.ts';
import { startWorld, type World, withSecretsPolicy } from '../../testing/world.ts';

const asks = (content: string, more: object = {}): object => ({
  model: 'm',
  messages: [{ role: 'user', content }],
  ...more,
});
const completion = (content: string): string =>
  JSON.stringify({
    ...COMPLETION,
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
  });
const event = (content: string): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`;
const json = { 'content-type': 'application/json' };

/** The records for one location in the traffic of a call, newest first. */
async function detections(world: World, place: string): Promise<Record<string, unknown>[]> {
  return [
    ...(await world.database.sql`
      select detection.*, decision.outcome, decision.request_id
      from secret_detections detection join authorization_decisions decision on decision.id = detection.decision_id
      where place = ${place} order by number desc`),
  ];
}

describe.each([
  ['hosted', undefined],
  ['restricted', onPremise],
])('secrets, %s profile', (_, profile) => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld({ environment: { GATEWAY_ORGANIZATION: 'acme' }, ...(profile ? { profile } : {}) });
    world.engine.on('/leaks', (_request, response) =>
      response.writeHead(200, json).end(completion(`use ${TOKEN} now`)),
    );
    world.engine.on('/streams', (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(event(`use ${TOKEN.slice(0, 17)}`) + event(`${TOKEN.slice(17)} now`));
      response.end('data: [DONE]\n\n');
    });
  });
  afterAll(() => world.stop());

  it('are blocked without a policy: in a request, before it is relayed, and on record', async () => {
    const before = world.engine.received.length;
    const answer = await ask(world.port, '/chat/chat/completions', {
      key: world.key,
      body: asks(`use ${TOKEN}`),
      headers: { 'x-request-id': 'blocked' },
    });
    expect([answer.status, answer.json]).toEqual([
      403,
      {
        error: 'The request carries what looks like a secret (access-token), so it was not relayed.',
        code: 'secret-detected',
        kinds: ['access-token'],
        where: ['/messages/0/content'],
      },
    ]);
    expect(world.engine.received.length).toBe(before);
    const [entry] = await eventually(async () => {
      const entries = await world.entries('blocked');
      expect(entries).toHaveLength(1);
      return entries;
    });
    expect(entry).toMatchObject({ outcome: 'refused', reason: 'secret-detected' });
    expect(String(entry?.['detail'])).toContain('access-token (github-token) at /messages/0/content');
    expect(String(entry?.['detail'])).not.toContain(TOKEN.slice(4, 14));
    expect(await detections(world, 'request')).toMatchObject([
      {
        request_id: 'blocked',
        kind: 'access-token',
        rule: 'github-token',
        response: 'block',
        pointer: '/messages/0/content',
        length: BigInt(TOKEN.length),
      },
    ]);
  });

  it('are blocked in a request of JSON in UTF-16', async () => {
    const before = world.engine.received.length;
    const body = Buffer.from(JSON.stringify(asks(`use ${TOKEN}`)), 'utf16le');
    const answer = await ask(world.port, '/chat/chat/completions', { key: world.key, body });
    expect([answer.status, world.engine.received.length]).toEqual([403, before]);
  });
  it('are blocked in a plain answer', async () => {
    const answer = await ask(world.port, '/chat/leaks', { key: world.key, body: asks('hello') });
    expect(answer.status).toBe(502);
    expect(answer.json).toMatchObject({
      error: 'The answer carries what looks like a secret (access-token), so it was not served.',
      code: 'secret-detected',
    });
    expect(answer.text).not.toContain(TOKEN.slice(4, 14));
  });

  it('are blocked in a plain answer, even where a stream was requested', async () => {
    const answer = await ask(world.port, '/chat/leaks', { key: world.key, body: asks('hello', { stream: true }) });
    expect([answer.status, answer.json]).toMatchObject([502, { code: 'secret-detected', kinds: ['access-token'] }]);
    expect(answer.text).not.toContain(TOKEN.slice(4, 14));
  });

  // relay-34
  it('end a stream before them, with a last event', async () => {
    const answer = watch(world.port, '/chat/streams', { key: world.key, body: asks('hello', { stream: true }) });
    expect(await answer.done).toBe('broken');
    expect(answer.text()).toContain('"content":"use "');
    expect(answer.text()).not.toContain(TOKEN.slice(4, 14));
    const last = answer.text().trim().split('\n\n').at(-1) ?? '';
    expect(JSON.parse(last.replace('data: ', ''))).toMatchObject({ code: 'secret-detected' });
    // Of the plain answers before, and of this stream: the decision had granted the call, the finding followed.
    const found = await eventually(async () => {
      const rows = await detections(world, 'answer');
      expect(rows).toHaveLength(3);
      return rows;
    });
    expect(found).toMatchObject([
      { outcome: 'granted', response: 'block' },
      { outcome: 'granted', response: 'block' },
      { outcome: 'granted', response: 'block', pointer: '/choices/0/message/content' },
    ]);
  });

  // relay-35
  it('are masked with that policy in force, in both directions', async () => {
    await withSecretsPolicy(world, { response: 'mask' });
    const received = world.engine.next('/chat/completions');
    const sent = ask(world.port, '/chat/chat/completions', { key: world.key, body: asks(`use ${TOKEN}`) });
    expect((await received).body.toString() || (await sent).status).toBeTruthy();
    expect((await sent).status).toBe(200);
    expect((await received).body.toString()).toContain('use [secret:access-token]');
    const answer = await ask(world.port, '/chat/leaks', { key: world.key, body: asks('hello') });
    expect(answer.text).toBe(completion('use [secret:access-token] now'));
    expect([undefined, String(answer.body.length)]).toContain(answer.headers['content-length']);
    const stream = watch(world.port, '/chat/streams', { key: world.key, body: asks('hello', { stream: true }) });
    expect(await stream.done).toBe('complete');
    const texts = [...stream.text().matchAll(/"content":"([^"]*)"/g)].map(([, text]) => text);
    expect(texts.join('')).toBe('use [secret:access-token] now');
  });

  it('pass and are recorded with the policy response alert', async () => {
    await withSecretsPolicy(world, { response: 'alert' });
    const answer = await ask(world.port, '/chat/leaks', {
      key: world.key,
      body: asks(`use ${TOKEN}`),
      headers: { 'x-request-id': 'alerted' },
    });
    expect(answer.text).toBe(completion(`use ${TOKEN} now`));
    const [entry] = await world.entries('alerted');
    expect(String(entry?.['detail'])).toContain('alert access-token (github-token)');
    expect(world.reports.join('\n')).toContain('alert access-token (github-token) at /choices/0/message/content');
    expect(world.reports.join('\n')).not.toContain(TOKEN.slice(4, 14));
    const [there, back] = await eventually(async () => {
      const both = [(await detections(world, 'request'))[0], (await detections(world, 'answer'))[0]] as const;
      expect(both).toMatchObject([{ request_id: 'alerted' }, { request_id: 'alerted' }]);
      return both;
    });
    expect([there?.['response'], back?.['response']]).toEqual(['alert', 'alert']);
    // Equal secrets have equal digests, in a request and in an answer; nothing else of them is disclosed.
    expect(there?.['digest']).toEqual(back?.['digest']);
    const reported = JSON.stringify([there, back], (_name, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    );
    expect(reported).not.toContain(TOKEN.slice(4, 14));
  });
});
