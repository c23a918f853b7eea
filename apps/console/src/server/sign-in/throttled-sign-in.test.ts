import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestConsole, type TestConsole } from '../../testing/console.ts';

let here: TestConsole;
beforeAll(async () => {
  here = await startTestConsole();
});
afterAll(() => here.stop());

const GOOD = `Basic ${btoa('operator:a pass:word')}`;
const ask = (address: string, authorization: string, path = '/api/plans') =>
  here.withHeaders({ 'x-forwarded-for': address, authorization }).get(path);
const guess = (address: string, index: number) => ask(address, `Basic ${btoa(`operator:guess-${index}`)}`);
const key = (index: number) => `Bearer gwk_${String(index).padStart(48, '0123456789abcdef')}`;
const rowsOf = (address: string) =>
  here.database.sql<{ reason: string; detail: string | null; credential: string }[]>`
    select reason, detail, credential from authorization_decisions where source_address = ${address}`;

// console-8
it('ten failures are answered 401, then 429 with a time to wait, also a good proof', async () => {
  for (let index = 0; index < 10; index += 1) expect((await guess('192.0.2.1', index)).status).toBe(401);
  for (const authorization of [GOOD, `Basic ${btoa('operator:x')}`, key(1), 'Digest x']) {
    const { status, headers, json } = await ask('192.0.2.1', authorization);
    const wait = Number(headers.get('retry-after'));
    expect([status, wait > 0 && wait <= 30]).toEqual([429, true]);
    expect(json.error).toMatch(/^Too many failed sign-ins came from this address\. Try again in \d+ seconds\.$/);
  }
  expect((await ask('192.0.2.1', GOOD, '/api/nothing')).status).toBe(429);
  // A caller without proof is asked to sign in, and other addresses are not delayed.
  expect((await ask('192.0.2.1', '')).status).toBe(401);
  expect((await ask('192.0.2.2', GOOD)).status).toBe(200);
});

it('failures with keys count too', async () => {
  for (let index = 0; index < 10; index += 1) expect((await ask('192.0.2.3', key(index))).status).toBe(401);
  expect((await ask('192.0.2.3', GOOD)).status).toBe(429);
});

it('a burst is answered ten times at most, and its rows count every guess', async () => {
  const answers = await Promise.all(Array.from({ length: 60 }, (_, index) => ask('192.0.2.4', key(index))));
  expect(answers.filter(({ status }) => status === 401).length).toBeLessThanOrEqual(10);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401, 429]));
  // Guesses that a slow machine sends after the first window are in a row of their own.
  const counted = async () => {
    const counts = (await rowsOf('192.0.2.4')).map(({ detail }) =>
      Number(/^(\d+) refused sign-ins /.exec(detail ?? '')?.[1]),
    );
    return { guesses: counts.reduce((sum, count) => sum + count, 0), isAggregated: counts.length < 4 };
  };
  await expect.poll(counted).toEqual({ guesses: 60, isAggregated: true });
});

it('a proof that is refused for another reason is no guess', async () => {
  const holder = await here.holder('auditeur');
  await here.pair.patch(`/api/users/${holder.id}`, { enabled: false });
  for (let index = 0; index < 12; index += 1) {
    expect((await ask('192.0.2.5', `Bearer ${holder.key}`)).status).toBe(401);
  }
  expect((await ask('192.0.2.5', GOOD)).status).toBe(200);
});
