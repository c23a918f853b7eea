import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { profile } from '../profile/serverless.ts';
import { startTestConsole, type TestConsole } from '../testing/console.ts';

let here: TestConsole;
beforeAll(async () => {
  here = await startTestConsole();
});
afterAll(() => here.stop());

const ID = '01890000-0000-7000-8000-000000000000';

/** Sort keys that no row has. */
const KEYS = [
  ['\0'],
  [1e308, '\0'],
  [1.5],
  [Number.MAX_SAFE_INTEGER],
  ['0000-01-01T00:00:00.000Z', ID],
  ['9999-12-31T23:59:59.999Z', Number.MAX_SAFE_INTEGER],
  ['2026-01-01T00:00:00.000Z', -1],
  ['2026-01-01T00:00:00.000Z', '\ud800'],
];

/** Values that no list may pass on: the database would report an error for them. */
const valuesFor = (plural: string) => [
  '\0',
  'a\0b',
  '0000-01-01T00:00:00Z',
  '9999-12-31T23:59:59-10:00',
  '-1',
  '1e400',
  '99999999999999999999',
  "' or 1=1 --",
  '{}',
  'x'.repeat(999),
  ...KEYS.map((key) => Buffer.from(JSON.stringify([plural, key])).toString('base64url')),
];
const reading = profile.routes.filter(({ method, path }) => method === 'GET' && path.startsWith('/api/'));

describe('a value that no database takes', () => {
  it.each(
    reading.map(({ path, query, answers }) => {
      const plural = /\{(\w+), next/.exec(answers)?.[1] ?? '';
      return [path, Object.keys(query?.shape ?? {}), plural] as const;
    }),
  )('is refused or matches nothing, and is no fault of the console: %s', async (path, names, plural) => {
    const address = path.replaceAll(/:\w*[iI]d\b/g, ID).replaceAll(/:\w+/g, 'nothing');
    for (const name of names) {
      for (const value of valuesFor(plural)) {
        const { status, text } = await here.pair.get(`${address}?${name}=${encodeURIComponent(value)}`);
        expect(status, `${name}=${value} ${text.slice(0, 200)}`).toBeLessThan(500);
      }
    }
    if (address === path) return;
    const { status } = await here.pair.get(path.replaceAll(/:\w+/g, 'a%00b'));
    expect([400, 404]).toContain(status);
  });
  it('is named where it was found', async () => {
    const { json } = await here.pair.get('/api/audit/decisions?subject=%00&until=0000-01-01T00:00:00Z');
    expect(json.fields).toEqual({ subject: 'must be well-formed text without NUL' });
    const of = await here.pair.get('/api/audit/decisions?until=0000-01-01T00:00:00Z');
    expect(of.json.fields).toEqual({ until: 'must lie in the years 1 to 9999' });
  });
  it('leaves the console without a complaint', () => {
    expect(here.faults).toEqual([]);
  });
});
