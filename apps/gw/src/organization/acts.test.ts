import { appendFileSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type AgentAct, parseActBatch } from '@gateway/contract';
import * as fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import type { ActDetails } from '../agent/types/index.ts';
import { fakeGateway, type GatewayAnswer } from '../testing/fake-gateway.ts';
import { temporaryFolder } from '../testing/folder.ts';
import { createActs, wireAct } from './organization.ts';

vi.setConfig({ testTimeout: 90_000 }); // long random texts

const DETAILS: ActDetails = {
  session: 's-1',
  tool: 'Read',
  target: { kind: 'path', value: 'a.txt' },
  authorizedBy: 'automatic',
  outcome: 'succeeded',
};
const GIVEN = { subject: 'casey', at: new Date('2026-11-21T09:30:00Z'), mask: (text: string) => text };
const act = (value = 'a.txt'): AgentAct => wireAct({ ...DETAILS, target: { kind: 'path', value } }, GIVEN);

/** A gateway that stores each act once, unless it is scripted to answer otherwise. */
async function world() {
  const stored = new Map<string, AgentAct>();
  const answers: (GatewayAnswer | 'cut')[] = [];
  const gateway = await fakeGateway(({ body }) => {
    const answer = answers.shift();
    if (answer !== undefined) return answer;
    const batch = parseActBatch(JSON.parse(body));
    if ('refused' in batch) return { status: 400, body: { error: `acts refused - ${batch.refused}` } };
    for (const one of batch.acts) stored.set(one.id, one);
    return { status: 200, body: { received: batch.acts.length } };
  });
  const home = temporaryFolder();
  const open = () => createActs({ gateway: gateway.url, license: 'the.license', fetch }, home);
  const left = (): readonly string[] =>
    readdirSync(home, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => name.replace(/-.*/, ''));
  return { gateway, stored, answers, home, open, left };
}

it('delivers in order, with the license, and leaves nothing behind', async () => {
  const { gateway, open, left } = await world();
  const acts = open();
  for (const value of ['one', 'two', 'three']) await acts.keep(act(value));
  expect(await acts.deliver()).toBeNull();
  expect(gateway.seen).toMatchObject([{ method: 'POST', url: '/ide/acts', authorization: 'Bearer the.license' }]);
  const sent = JSON.parse(gateway.seen[0]?.body ?? '') as { acts: AgentAct[] };
  expect(sent.acts.map(({ target }) => target.value)).toEqual(['one', 'two', 'three']);
  expect(left()).toEqual([]);
  expect(await acts.deliver()).toBeNull();
  expect(gateway.seen).toHaveLength(1);
});

it('keeps what cannot be delivered, for its owner alone, and a later session delivers it', async () => {
  const { gateway, stored, answers, home, open, left } = await world();
  answers.push({ status: 503, body: { error: 'The database is down.' } }, 'cut');
  const acts = open();
  await acts.keep(act());
  expect((await acts.deliver())?.reason).toMatch(/answered 503: The database is down\./);
  expect((await acts.deliver())?.reason).toMatch(/does not answer/);
  expect(left()).toEqual(['batch']);
  const [file = ''] = readdirSync(home, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.jsonl'),
  );
  expect(statSync(join(home, file)).mode & 0o777).toBe(0o600);
  await open().keep(act());
  expect(await open().deliver()).toBeNull();
  expect(stored.size).toBe(2);
  expect(gateway.seen).toHaveLength(4);
});

it('sends 500 acts at most at once, and after a failure only those that are not confirmed', async () => {
  const { gateway, stored, answers, open } = await world();
  const acts = open();
  for (let at = 0; at < 502; at += 1) await acts.keep(act(String(at)));
  answers.push({ status: 200, body: { received: 500 } }, { status: 503, body: {} });
  expect(await acts.deliver()).not.toBeNull();
  expect(await acts.deliver()).toBeNull();
  const sizes = gateway.seen.map(({ body }) => (JSON.parse(body) as { acts: unknown[] }).acts.length);
  expect(sizes).toEqual([500, 2, 2]);
  expect(stored.size).toBe(2); // the first 500 were confirmed without being stored here
});

it('sends no more bytes at once than the gateway takes', async () => {
  const { gateway, stored, open } = await world();
  const acts = open();
  for (let at = 0; at < 260; at += 1) await acts.keep(act('é'.repeat(8192)));
  expect(await acts.deliver()).toBeNull();
  expect(stored.size).toBe(260);
  expect(gateway.seen.length).toBeGreaterThan(1);
  for (const { body } of gateway.seen) expect(Buffer.byteLength(body)).toBeLessThan(4.1 * 2 ** 20);
});

it('sends acts whose confirmation was lost again, under the same ids', async () => {
  const { gateway, stored, home } = await world();
  const first = createActs({ gateway: gateway.url, license: 'l', fetch: lossy() }, home);
  await first.keep(act());
  expect(await first.deliver()).not.toBeNull();
  expect(stored.size).toBe(1);
  expect(await createActs({ gateway: gateway.url, license: 'l', fetch }, home).deliver()).toBeNull();
  expect([gateway.seen.length, stored.size]).toEqual([2, 1]);
});

/** The request arrives, its answer does not. */
function lossy(): typeof fetch {
  return async (...request) => {
    await fetch(...request);
    throw new TypeError('fetch failed');
  };
}

it('sets an act aside that the gateway refuses, and delivers the others', async () => {
  const { stored, home, open, left } = await world();
  const acts = open();
  await acts.keep(act('before'));
  await acts.keep({ ...act('refused'), outcome: 'unheard-of' as 'failed' });
  await acts.keep(act('after'));
  expect(await acts.deliver()).toBeNull();
  expect([...stored.values()].map(({ target }) => target.value)).toEqual(['before', 'after']);
  expect(left()).toEqual(['refused.jsonl']);
  const [file = ''] = readdirSync(home, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.jsonl'),
  );
  expect(readFileSync(join(home, file), 'utf8')).toContain('act #2: outcome must be one of');
});

it('passes over a line that a crash cut off', async () => {
  const { stored, home, open, answers } = await world();
  answers.push({ status: 503, body: {} });
  await open().keep(act());
  const [file = ''] = readdirSync(home, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.jsonl'),
  );
  appendFileSync(join(home, file), '{"id":"01');
  await open().keep(act());
  await open().deliver();
  expect(await open().deliver()).toBeNull();
  expect(stored.size).toBe(2);
});

it('delivers each act once where several sessions deliver', async () => {
  const { gateway, stored, open } = await world();
  const session = async (name: string): Promise<void> => {
    const acts = open();
    for (let at = 0; at < 10; at += 1) {
      await acts.keep(act(`${name}${at}`));
      if (at % 3 === 0) await acts.deliver();
    }
  };
  await Promise.all(['a', 'b', 'c'].map(session));
  await open().deliver();
  const sent = gateway.seen.flatMap(({ body }) => (JSON.parse(body) as { acts: AgentAct[] }).acts.map(({ id }) => id));
  expect([sent.length, stored.size]).toEqual([30, 30]);
});

it('is always an act that the gateway takes', () => {
  const texts = fc.string({ unit: 'binary', maxLength: 9000 });
  fc.assert(
    fc.property(texts, texts, fc.option(texts, { nil: undefined }), (target, subject, reason) => {
      const details = { ...DETAILS, target: { kind: 'command' as const, value: target } };
      const made = wireAct(reason === undefined ? details : { ...details, reason }, { ...GIVEN, subject });
      expect(parseActBatch({ acts: [made] })).toHaveProperty('acts');
    }),
    { numRuns: 15 },
  );
});

it('masks secrets and cuts a reason at 300 characters', () => {
  const mask = (text: string): string => text.replaceAll('S3CRET', '[masked]');
  const details = { ...DETAILS, target: { kind: 'command' as const, value: 'echo S3CRET' }, reason: 'é'.repeat(400) };
  const made = wireAct(details, { ...GIVEN, mask });
  expect(made.target.value).toBe('echo [masked]');
  expect(made.reason).toHaveLength(300);
  expect(made.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
});
