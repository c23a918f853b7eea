import { isStorable } from '@gateway/contract';
import { line, slug } from '@gateway/contract/fields';
import { faultOfBaseUrl, isClearText } from '@gateway/domain/provider/shape';
import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { readBody } from './body.ts';
import { exactly, fieldsOf, filterOf, period, present, reference } from './fields.ts';
import { pageAsked, pageOf, paging } from './page.ts';

describe('a Base URL', () => {
  it('that is accepted has one meaning: scheme, authority and path, nothing else', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc
            .tuple(
              fc.constantFrom('http://', 'https://', 'https:/', 'ftp://'),
              fc.constantFrom('', 'user@', 'user:word@'),
              fc.constantFrom('models.example', '10.0.0.1', '[::1]', 'models.example:8443'),
              fc.string().map((text) => `/${text}`),
              fc.constantFrom('', '?', '?a=b', '#', '#c'),
            )
            .map((parts) => parts.join('')),
          fc.string().map((text) => `https://${text}`),
        ),
        (text) => {
          fc.pre(faultOfBaseUrl(text) === null);
          const url = new URL(text);
          expect([url.username, url.password, url.search, url.hash]).toEqual(['', '', '', '']);
          expect(['http:', 'https:']).toContain(url.protocol);
          expect(isClearText(text)).toBe(url.protocol === 'http:');
          // A caller cannot change the authority, no matter what it appends.
          for (const rest of ['/v1', '//evil.example', '/../..', '/@evil.example', '/?a#b', '/\\evil.example']) {
            expect(new URL(text + rest).host).toBe(url.host);
          }
        },
      ),
      { verbose: true, numRuns: 500 },
    );
  });
});

describe('a line of text', () => {
  it('that is accepted is one line and is stored unchanged', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 20 }), (text) => {
        fc.pre(line(20).safeParse(text).success);
        expect(text).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
        expect(text.trim()).toBe(text);
        expect(text.isWellFormed()).toBe(true);
      }),
      { verbose: true },
    );
  });
  it.each(['a', 'é', '日本語', 'a b', '<script>', "'; drop table providers; --", '=1+1'])('is accepted: %s', (text) => {
    expect(line(50).safeParse(text).success).toBe(true);
  });
  it.each(['v1', 'a.b', 'A-1_b', '0', 'x'.repeat(64)])('%s is a slug', (text) => {
    expect(slug.safeParse(text).success).toBe(true);
  });
});

describe('a page', () => {
  const shape = z.strictObject(paging('rows', z.tuple([z.string(), z.number()])));
  const rows = Array.from({ length: 7 }, (_, n) => ({ name: `row-${n}`, n }));
  const FIRST = { limit: 3, after: null };
  it('ends where there is no row too many', () => {
    expect(pageOf('rows', rows.slice(0, 3), FIRST, ({ name }) => [name])).toEqual({
      rows: rows.slice(0, 3),
      next: null,
    });
    expect(pageOf('rows', [], FIRST, () => [])).toEqual({ rows: [], next: null });
  });
  it('links to the next page by its key', () => {
    const { next } = pageOf('rows', rows.slice(0, 4), FIRST, ({ name, n }) => [name, n]);
    expect(pageAsked(shape.parse({ cursor: next }))).toEqual({ limit: 50, after: ['row-2', 2], backwards: false });
  });
  it('carries any key there and back', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.double({ noNaN: true, noDefaultInfinity: true }), (name, n) => {
        fc.pre(isStorable(name) && !Object.is(n, -0));
        const { next } = pageOf('rows', [{}, {}], { limit: 1, after: null }, () => [name, n]);
        expect(pageAsked(shape.parse({ cursor: next })).after).toEqual([name, n]);
      }),
      { verbose: true },
    );
  });
  it('links to the previous page, except the first', () => {
    const keyOf = ({ name, n }: (typeof rows)[number]) => [name, n];
    const { previous, next } = pageOf('rows', rows.slice(3, 7), { limit: 3, after: ['row-2', 2] }, keyOf);
    expect(pageAsked(shape.parse({ cursor: previous }))).toMatchObject({ after: ['row-3', 3], backwards: true });
    expect(pageAsked(shape.parse({ cursor: next }))).toMatchObject({ after: ['row-5', 5], backwards: false });
    expect(pageOf('rows', rows.slice(0, 4), FIRST, keyOf)).not.toHaveProperty('previous');
  });
  it('that was read backwards is in the order of the list', () => {
    const back = { limit: 3, after: ['row-4', 4], backwards: true };
    const keyOf = ({ name, n }: (typeof rows)[number]) => [name, n];
    const page = pageOf('rows', rows.slice(0, 4).reverse(), back, keyOf);
    expect(page['rows']).toEqual(rows.slice(1, 4));
    expect(pageAsked(shape.parse({ cursor: page['previous'] }))).toMatchObject({
      after: ['row-1', 1],
      backwards: true,
    });
    expect(pageAsked(shape.parse({ cursor: page['next'] }))).toMatchObject({ after: ['row-3', 3], backwards: false });
    expect(pageOf('rows', rows.slice(0, 3).reverse(), back, keyOf)).toMatchObject({ previous: null });
    expect(pageOf('rows', [], back, keyOf)).toEqual({ rows: [], next: null, previous: null });
  });
  it('that is empty by now links back to the last rows', () => {
    const { previous } = pageOf('rows', [], { limit: 3, after: ['row-6', 6] }, () => []);
    expect(pageAsked(shape.parse({ cursor: previous }))).toMatchObject({ after: null, backwards: true });
  });
  it('does not take the cursor of another list, though its rows are sorted alike', () => {
    const { next } = pageOf('others', rows.slice(0, 4), FIRST, ({ name, n }) => [name, n]);
    expect(shape.safeParse({ cursor: next }).success).toBe(false);
  });
  it('rejects a cursor of any other shape', () => {
    const others = [{ before: [1, 2] }, { before: ['a'] }, { before: ['a', 1], after: ['a', 1] }, { before: 'a' }];
    for (const value of [[1, 2], ['a'], ['a', 1, 2], {}, 'a', null, [null, 1], ...others]) {
      const cursor = Buffer.from(JSON.stringify(['rows', value])).toString('base64url');
      expect(shape.safeParse({ cursor }).success).toBe(false);
    }
    fc.assert(
      fc.property(fc.string(), (cursor) => {
        expect(() => shape.safeParse({ cursor })).not.toThrow();
      }),
      { verbose: true },
    );
  });
});

describe('a filter', () => {
  const shape = z.strictObject({ ...period, subject: exactly });
  it('takes instants in any zone and hands them on in UTC', () => {
    expect(shape.parse({ from: '2026-01-01T02:00:00+02:00' }).from).toBe('2026-01-01T00:00:00.000Z');
  });
  it.each(['2026-01-01', 'now', '2026-02-30T00:00:00Z', '1767225600'])('takes no instant %s', (from) => {
    expect(shape.safeParse({ from }).success).toBe(false);
  });
  it('is complete for a statement: absent parameters are null', () => {
    expect(filterOf(shape.parse({ subject: 'ada' }), ['subject', 'from'])).toEqual({ subject: 'ada', from: null });
  });
});

describe('the members of a body', () => {
  it('that are absent overwrite nothing', () => {
    const stored: Record<string, unknown> = { a: 1, b: 2 };
    expect({ ...stored, ...present({ a: undefined, b: null }) }).toEqual({ a: 1, b: null });
  });
});

describe('the faults of an input', () => {
  const shape = z.strictObject({
    name: z.string(),
    tools: z.array(z.enum(['a', 'b'])),
    deep: z.strictObject({ n: z.number() }),
  });
  // console-10
  it('are one sentence a field, named by its path', () => {
    const { error } = shape.safeParse({ tools: ['a', 'x', 7], deep: { n: 'seven', more: 1 }, other: 1 });
    expect(error && { ...fieldsOf(error) }).toEqual({
      name: 'is missing',
      'tools.1': 'must be one of a, b',
      'tools.2': 'must be one of a, b',
      'deep.n': 'must be of type number',
      'deep.more': 'is not known here',
      other: 'is not known here',
    });
  });
  it('are reported in the words of this product, not of a library', () => {
    const few = z.string().min(1).max(2);
    const { error } = z
      .strictObject({ long: few, empty: few, flag: z.boolean(), text: z.string() })
      .safeParse({ long: 'abc', empty: '', flag: 1, text: null });
    expect(error && { ...fieldsOf(error) }).toEqual({
      long: 'must have at most 2 characters',
      empty: 'must not be empty',
      flag: 'must be true or false',
      text: 'must be text',
    });
  });
  it('never repeat a value', () => {
    const { error } = shape.safeParse({ name: 7, tools: ['hunter2'], deep: { n: 'hunter2' } });
    expect(JSON.stringify(error && fieldsOf(error))).not.toContain('hunter2');
  });
});

describe('a reference', () => {
  it('is read in upper and lower case', () => {
    const id = '01890000-abcd-7000-8000-00000000000f';
    expect(reference.parse(id.toUpperCase())).toBe(id);
  });
});

describe('a body', () => {
  const shape = z.strictObject({ name: z.string().optional() });
  const read = (body: string | Uint8Array<ArrayBuffer> | null, type = 'application/json') =>
    readBody(new Request('http://x/', { method: 'POST', body, headers: { 'content-type': type } }), shape);
  const status = async (...asked: Parameters<typeof read>) => {
    const outcome = await read(...asked);
    return 'fault' in outcome ? outcome.fault.status : 200;
  };
  it.each(['application/json', 'application/json; charset=utf-8', 'APPLICATION/JSON'])(
    'is read as %s',
    async (type) => {
      expect(await read('{"name":"ada"}', type)).toEqual({ body: { name: 'ada' } });
    },
  );
  it.each(['text/plain', 'application/jsonp', 'application/x-www-form-urlencoded', ''])(
    'is not read as %s',
    async (type) => {
      expect(await status('{"name":"ada"}', type)).toBe(415);
    },
  );
  it('that is absent is an empty object', async () => {
    expect(await read(null, '')).toEqual({ body: {} });
  });
  it('that does not come to its end in time is refused, and never carried out', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const begun = new ReadableStream({ start: (to) => to.enqueue(new TextEncoder().encode('{"name":')) });
      const headers = { 'content-type': 'application/json' };
      const asked = new Request('http://x/', { method: 'POST', body: begun, headers, duplex: 'half' });
      const reading = readBody(asked, shape);
      await vi.advanceTimersByTimeAsync(20_000);
      const outcome = await reading;
      const rejection = 'fault' in outcome ? outcome.fault : undefined;
      expect([rejection?.status, rejection?.headers.get('connection'), await rejection?.json()]).toEqual([
        408,
        'close',
        { error: 'The request did not arrive in time.' },
      ]);
    } finally {
      vi.useRealTimers();
    }
  });
  it('that is no UTF-8 is refused', async () => {
    expect(await status(new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x7d]))).toBe(400);
  });
  it('is bounded in size and in depth', async () => {
    expect(await status(`{"name":"${'x'.repeat(1_048_577)}"}`)).toBe(413);
    expect(await status(`{"name":${'['.repeat(70)}${']'.repeat(70)}}`)).toBe(400);
    const flat = JSON.stringify({ name: 'x', more: Array.from({ length: 50_000 }, (_, n) => n) });
    expect(await status(flat)).toBe(400);
  });
  it('with a duplicate member is refused with its name: one of the two would be ignored', async () => {
    const refusalOf = async (body: string) => {
      const outcome = await read(body);
      return 'fault' in outcome ? outcome.fault.json() : outcome;
    };
    expect(await refusalOf('{"name":"ada","name":"grace"}')).toEqual({
      error: 'name is given more than once',
      fields: { name: 'is given more than once' },
    });
    expect(await refusalOf('{"deep":[{"n":1,"\\u006e":2}]}')).toMatchObject({
      fields: { 'deep.n': 'is given more than once' },
    });
    const key = ['ghp', 'x7Kq2mVn9RtLw4ZbYc8JdHf3PsGa1UeTiOo5'].join('_');
    expect(JSON.stringify(await refusalOf(`{"${key}":1,"${key}":2}`))).not.toContain(key);
  });
  it('sets nothing on what all objects share', async () => {
    await read('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}');
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});
