import { allRowsOf } from '@gateway/database/testing';
import { type Canary, canaries } from '@gateway/secrets/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { profile } from '../profile/serverless.ts';
import { type Client, type Reply } from '../testing/client.ts';
import { startTestConsole, type TestConsole } from '../testing/console.ts';

// The same in every run, so that a failure can be reproduced.
const ALL = canaries('console');
const LINES = ALL.filter(({ line }) => line);
const ID = '01890000-0000-7000-8000-000000000000';
const planted: Canary[] = [];
const answers: { readonly where: string; readonly text: string }[] = [];

let here: TestConsole;
let clients: readonly Client[];
beforeAll(async () => {
  here = await startTestConsole();
  clients = [
    here.pair,
    await here.holder('administrateur-d-instance'),
    await here.holder('auditeur'),
    await here.holder({ role: 'administrateur-de-projet', project: 'p-1' }),
  ];
  await here.pair.create('/api/organization', { slug: 'acme', name: 'Acme' });
});
afterAll(() => here.stop());

let turn = 0;
function next(): Canary {
  const canary = LINES[turn % LINES.length] as Canary;
  turn += 1;
  planted.push(canary);
  return canary;
}
const keep = (where: string, { text, headers }: Reply): void => {
  answers.push({ where, text: `${[...headers].join('\n')}\n${text}` });
};
/** An address in which every named segment is this one; identifiers are well-formed, so that they are looked up. */
const address = (path: string, segment: string): string =>
  path.replaceAll(/:(id|\w+Id)\b/g, ID).replaceAll(/:\w+/g, encodeURIComponent(segment));

const routes = profile.routes.filter(({ path }) => path.startsWith('/api/'));
const writing = routes.filter(({ method }) => method !== 'GET');
const fieldsOf = (shape: unknown): string[] =>
  typeof shape === 'object' && shape !== null && 'shape' in shape ? Object.keys(shape.shape as object) : [];

describe('secrets planted in every field of the console', () => {
  it.each(writing.map((route) => [`${route.method} ${route.path}`, route] as const))('%s', async (where, route) => {
    for (const client of clients.slice(0, 2)) {
      for (const field of [...fieldsOf(route.body), 'unheard-of']) {
        for (const wrap of [(text: string) => text, (text: string) => ({ deeper: [text] })]) {
          const { text } = next();
          const reply = await client.send(route.method, address(route.path, 'p-1'), { [field]: wrap(text) });
          // A check of a policy reports its faults in an answer with status 200.
          const refused = !route.path.endsWith('/check');
          expect(reply.status >= (refused ? 400 : 200) && reply.status < 500, reply.text).toBe(true);
          keep(`${where} ${field}`, reply);
        }
      }
      const named = next().text;
      keep(where, await client.send(route.method, address(route.path, 'p-1'), { [named]: named }));
      if (!route.path.includes(':session'))
        keep(where, await client.send(route.method, address(route.path, next().text), {}));
      keep(where, await client.send(route.method, address(route.path, 'p-1'), `{"broken": "${next().value}`));
    }
  });

  it.each(routes.filter(({ method }) => method === 'GET').map((route) => [route.path, route] as const))(
    'GET %s',
    async (path, route) => {
      for (const client of clients) {
        for (const name of [...fieldsOf(route.query), 'unheard-of']) {
          const query = `${name}=${encodeURIComponent(next().text)}`;
          keep(path, await client.get(`${address(path, 'p-1')}?${query}`, { 'x-request-id': next().text }));
        }
        keep(path, await client.get(address(path, next().text)));
      }
      expect(here.faults).toEqual([]);
    },
  );

  it('in documents of policies, whose attempts are recorded', async () => {
    const administrator = clients[1] as Client;
    const some = ALL.filter(({ line }, index) => !line || index % 4 === 0);
    planted.push(...some);
    for (const { text } of some) {
      const cedar = `forbid (principal, action, resource) when { context.path == ${JSON.stringify(text)} };`;
      const refused = await administrator.post('/api/policies', { cedar });
      expect(refused.status, refused.text).toBe(400);
      keep('policy', refused);
    }
    for (const { text } of LINES.slice(0, 40)) {
      const document = { tools: { allow: [text] } };
      const refused = await administrator.post('/api/organization/policy', { document });
      expect(refused.status, refused.text).toBe(400);
      expect(Object.keys(refused.json.fields).join()).toContain('document.tools.allow');
      keep('organization policy', refused);
    }
    const [attempts] = await here.database.sql`select count(*)::int as n from policy_attempts`;
    expect(attempts?.['n']).toBeGreaterThanOrEqual(some.length + 40);
  });

  it('with proofs', async () => {
    for (let count = 0; count < 20; count += 1) {
      keep('bearer', await here.withHeaders({ authorization: `Bearer ${next().text}` }).get('/api/users'));
      const basic = await here.withHeaders({ authorization: `Basic ${btoa(next().text)}` }).get('/api/users');
      expect(basic.status).toBe(401);
      keep('basic', basic);
    }
  });
});

/** The logs as files: the planted secrets were recorded, masked. */
describe.each([
  '/api/audit/decisions',
  '/api/administration-actions',
  '/api/audit/agent-acts',
  '/api/audit/detections',
])('in the file of %s', (path) => {
  it.each(['csv', 'jsonl'])('as %s', async (format) => {
    const auditor = clients[2] as Client;
    const file = await auditor.get(`${path}?format=${format}`);
    expect(file.status, file.text).toBe(200);
    keep(`${path} as ${format}`, file);
  });
});

it('in the file of the administration actions, which is long', () => {
  const files = answers.filter(({ where }) => where.startsWith('/api/administration-actions as'));
  expect(files).toHaveLength(2);
  for (const { text } of files) expect(text.split('\n').length).toBeGreaterThan(5);
});

it('every rule was planted', () => {
  expect(new Set(planted.map(({ rule }) => rule)).size).toBe(new Set(ALL.map(({ rule }) => rule)).size);
});

it('none of them is in any table, line for the operator or answer', async () => {
  const dump = await allRowsOf(here.database.sql);
  expect(dump.get('public.policy_attempts')?.length).toBeGreaterThan(10_000);
  const places = [
    ...dump,
    ['lines for the operator', [...here.said, ...here.faults].join('\n')] as const,
    ...answers.map(({ where, text }) => [`the answer to ${where}`, text] as const),
  ];
  const values = [...new Map(planted.map((canary) => [canary.value, canary])).values()];
  const found = places.flatMap(([place, text]) =>
    values.filter(({ value }) => text.includes(value)).map(({ rule }) => `${rule} in ${place}`),
  );
  expect([...new Set(found)]).toEqual([]);
});

it('the exception: a session is revoked by the name it was given (workstation-10)', async () => {
  const [canary] = canaries('exception').filter(({ line, text, value }) => line && text === value);
  const name = canary?.text ?? '';
  const path = `/api/audit/agent-sessions/${encodeURIComponent(name)}/revocation`;
  expect((await (clients[1] as Client).post(path, { reason: 'a test' })).json).toMatchObject({ session: name });
});
