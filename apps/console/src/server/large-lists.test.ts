import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestConsole, type TestConsole } from '../testing/console.ts';

/** More than two pages of the greatest size, and no multiple of any page. */
const ROWS = 1207;

let here: TestConsole;
beforeAll(async () => {
  here = await startTestConsole();
  await here.database.sql`
    insert into providers (id, slug, name, base_url)
    select gen_random_uuid(), 'p-' || lpad(n::text, 5, '0'), 'Provider ' || n % 7, 'https://engine.example/' || n
    from generate_series(1, ${ROWS}) n`;
  await here.database.sql`
    insert into accounts (id, username, origin, enabled)
    select gen_random_uuid(), 'user-' || n, 'local', n % 3 > 0 from generate_series(1, ${ROWS}) n`;
  await here.database.sql`
    insert into role_assignments (id, subject, role, author)
    select gen_random_uuid(), 'user-' || n, 'utilisateur-standard', 'test' from generate_series(1, ${ROWS}) n`;
});
afterAll(() => here.stop());

type Row = Record<string, unknown>;
interface Walk {
  readonly rows: Row[];
  readonly pages: number;
  readonly last: string | null;
}

/** Every row from a page on, by `next`, or backwards by `previous`. */
async function walk(path: string, plural: string, way: 'next' | 'previous' = 'next', from?: string): Promise<Walk> {
  const rows: Row[] = [];
  let pages = 0;
  let cursor: string | null | undefined = from;
  let last: string | null = null;
  do {
    const more = cursor === undefined ? '' : `&cursor=${cursor}`;
    const { json, status, text } = await here.pair.get(path + more);
    if (status !== 200) throw new Error(text);
    if (way === 'next') rows.push(...(json[plural] as Row[]));
    else rows.unshift(...(json[plural] as Row[]));
    pages += 1;
    last = (json.previous ?? null) as string | null;
    cursor = json[way] as string | null;
  } while (cursor !== null);
  return { rows, pages, last };
}

describe('a list of more than a thousand', () => {
  it.each([
    ['/api/providers?limit=500', 'providers', 3],
    ['/api/providers?limit=100&sort=-slug', 'providers', 13],
    ['/api/providers?limit=400&sort=name', 'providers', 4],
    ['/api/users?limit=500', 'users', 3],
    ['/api/users?limit=500&sort=-createdAt', 'users', 3],
    ['/api/role-assignments?limit=500', 'roleAssignments', 3],
    ['/api/subjects?limit=500&sort=state', 'subjects', 3],
  ])('is read whole, each row once: %s', async (path, plural, expected) => {
    const { rows, pages } = await walk(path, plural);
    const keys = rows.map((row) => row['id'] ?? row['subject']);
    expect([keys.length, new Set(keys).size, pages]).toEqual([ROWS, ROWS, expected]);
  });
  it.each(['/api/providers?limit=500', '/api/providers?limit=300&sort=name', '/api/providers?limit=300&sort=-name'])(
    'is the same backwards: %s',
    async (path) => {
      const forwards = await walk(path, 'providers');
      const ends = (await here.pair.get(`${path}&cursor=${forwards.last}`)).json as { providers: Row[] };
      expect(ends.providers.length).toBeGreaterThan(0);
      const backwards = await walk(path, 'providers', 'previous', forwards.last ?? '');
      const rest = forwards.rows.slice(0, backwards.rows.length);
      expect(backwards.rows.map(({ id }) => id)).toEqual(rest.map(({ id }) => id));
    },
  );
  it('shows fifty where no number is asked for, and says where it goes on', async () => {
    const { json } = await here.pair.get('/api/providers');
    expect([json.providers.length, typeof json.next, 'previous' in json]).toEqual([50, 'string', false]);
  });
  it('is filtered before it is cut into pages', async () => {
    const { rows, pages } = await walk('/api/users?limit=250&enabled=false', 'users');
    expect([rows.length, pages]).toEqual([Math.floor(ROWS / 3), 2]);
    expect((await walk('/api/users?limit=100&search=user-12', 'users')).rows).toHaveLength(19);
  });
  it('takes no page of another list, order or filter for its own', async () => {
    const { next } = (await here.pair.get('/api/providers?limit=10')).json;
    const fault = { cursor: 'must be the value of "next" or "previous" in another page' };
    for (const path of ['/api/users', '/api/subjects', '/api/role-assignments']) {
      expect((await here.pair.get(`${path}?cursor=${next}`)).json.fields).toEqual(fault);
    }
    expect((await here.pair.get(`/api/providers?cursor=${next.slice(1)}`)).json.fields).toEqual(fault);
  });
});

describe('a list that changes between two pages', () => {
  it('shows no row twice and leaves none out but those that came or went', async () => {
    const first = (await here.pair.get('/api/providers?limit=500')).json as { providers: Row[]; next: string };
    const before = await here.pair.create('/api/providers', {
      slug: 'p-00000',
      name: 'Before',
      baseUrl: 'https://engine.example',
    });
    const after = await here.pair.create('/api/providers', {
      slug: 'p-99999',
      name: 'After',
      baseUrl: 'https://engine.example',
    });
    // The row where the page ended goes: the next page begins behind it all the same.
    await here.pair.delete(`/api/providers/${String(first.providers.at(-1)?.['id'])}`);
    const { rows } = await walk('/api/providers?limit=500', 'providers', 'next', first.next);
    const ids = rows.map(({ id }) => id);
    expect(ids).toHaveLength(ROWS - 500 + 1);
    expect([ids.includes(before.id), ids.includes(after.id)]).toEqual([false, true]);
    expect(ids.filter((id) => first.providers.some((row) => row['id'] === id))).toEqual([]);
  });
  it('shows an empty page with a way back where the rest was deleted', async () => {
    const { next } = (await here.pair.get('/api/providers?limit=500&sort=-slug')).json;
    await here.database.sql`delete from providers where slug < 'p-00709'`;
    const { json } = await here.pair.get(`/api/providers?limit=500&sort=-slug&cursor=${next}`);
    expect([json.providers, json.next]).toEqual([[], null]);
    const back = (await here.pair.get(`/api/providers?limit=500&sort=-slug&cursor=${json.previous}`)).json;
    expect([back.providers[0].slug, back.providers.length, back.previous]).toEqual(['p-99999', 500, null]);
  });
});
