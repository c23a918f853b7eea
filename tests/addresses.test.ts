import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Ready, startStack } from './support/stack.ts';

const PAGE = readFileSync(new URL('../site/pages/reference/addresses.md', import.meta.url), 'utf8');
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** Values for placeholders. */
const OWN: Readonly<Record<string, string>> = {
  endpoint: 'demo',
  path: 'index.html',
  identifiant: '0198b1c0-0000-7000-8000-000000000001',
  session: 's-1',
};

interface Listed {
  readonly address: string;
  readonly methods: readonly string[];
  readonly proof: string;
}

const LISTED: readonly Listed[] = [...PAGE.matchAll(/^\| `([^`]+)` +\| ([^|]+?) +\| ([^|]+?) +\|/gm)].map(
  ([, address = '', methods = '', proof = '']) => ({
    address: address.replaceAll(/<(\w+)>/g, (_, name: string) => OWN[name] ?? name),
    methods: methods === 'all' ? METHODS : methods.split(', '),
    proof,
  }),
);

/** Variants of the listed addresses, which nothing serves. */
const NOTHING = [
  '/',
  '/ide',
  '/ide/',
  '/ide/policy/',
  '/ide/sessions',
  '/ide/sessions/s-1',
  '/ide/sessions/s-1/standing/x',
  '/_agent-execution',
  '/_agent-execution/commands/',
  '/_agent-execution/commands/x',
];

let stack: Ready & { stop: () => Promise<number | null> };
beforeAll(async () => {
  stack = await startStack('--bare', '--docs', 'dist/manual');
});
afterAll(() => stack?.stop());

function ask(method: string, path: string): Promise<{ status: number; type: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(new URL(path, stack.gateway), { method, headers: { 'content-length': '0' } }, (answer) => {
      answer.resume();
      answer.once('end', () => resolve({ status: answer.statusCode ?? 0, type: answer.headers['content-type'] ?? '' }));
    });
    sent.once('error', reject);
    sent.end();
  });
}

/** Whether an address has something to say to a method: its own refusals are in JSON, and that of no route is not. */
async function isServed(method: string, path: string): Promise<boolean> {
  const { status, type } = await ask(method, path);
  return status !== 405 && !(status === 404 && type.startsWith('text/plain'));
}

// documentation-13
it('the page lists every kind of address', () => {
  expect(LISTED).toHaveLength(11);
});

it.each(LISTED)(
  '$address is served to the methods that the page names, and to no other',
  async ({ address, methods }) => {
    const served: string[] = [];
    for (const method of METHODS) if (await isServed(method, address)) served.push(method);
    expect(served).toEqual(METHODS.filter((method) => methods.includes(method)));
  },
);

it.each(LISTED)('$address asks for the proof that the page names', async ({ address, methods, proof }) => {
  const { status } = await ask(methods[0] ?? '', address);
  expect(status === 401).toBe(proof !== 'none');
});

it.each(NOTHING)('%s is served to nobody', async (path) => {
  for (const method of METHODS) expect([method, await isServed(method, path)]).toEqual([method, false]);
});
