import { describe, expect, it } from 'vitest';
import { changes, EMPTY, given, held, reads, refused, unreachable } from '../testing/api.ts';
import { ApiError, request, stream } from './request.ts';

/** What a request is rejected with, as the pages read it. */
const faultOf = async (method: string, path: string): Promise<object> => {
  const error: unknown = await request(method, path).then(
    () => 'no fault',
    (fault: unknown) => fault,
  );
  if (!(error instanceof ApiError)) throw error;
  const { status, message, fields, down } = error;
  return { status, message, fields, down };
};

describe('an answer of the console', () => {
  it('is its JSON, for the query that was asked', async () => {
    given('GET /api/plans', ({ query }) => ({ asked: query }));
    expect(await request('GET', '/api/plans?limit=2&search=a%26b')).toEqual({ asked: { limit: '2', search: 'a&b' } });
    expect(reads('/api/plans')).toEqual([{ limit: '2', search: 'a&b' }]);
  });

  it('is nothing after a deletion', async () => {
    given('DELETE /api/plans/1', EMPTY);
    expect(await request('DELETE', '/api/plans/1')).toBeUndefined();
    expect(changes()).toEqual([['DELETE /api/plans/1']]);
  });

  it('follows a body with all its values, null and false included', async () => {
    const body = { name: 'Ünïcode “quotes”', cap: null, isActive: false, thresholds: [80, 100], nothing: '' };
    given('POST /api/plans', ({ body: sent }) => sent);
    expect(await request('POST', '/api/plans', body)).toEqual(body);
    expect(changes()).toEqual([['POST /api/plans', body]]);
  });
});

describe('a refusal', () => {
  it('of items of a list is one of the field with the list, with the sentence of the first', async () => {
    const fields = { name: 'is taken', 'paths.0': 'must begin with /', 'paths.2': 'is too long', 'a.b': 'is unknown' };
    given('POST /api/endpoints', refused(400, 'Faulty.', { fields }));
    expect(await faultOf('POST', '/api/endpoints')).toMatchObject({
      fields: { name: 'is taken', paths: 'must begin with /', 'a.b': 'is unknown' },
    });
  });

  it('has its sentence, its status, the fields at fault and what is down', async () => {
    given('POST /api/plans', refused(400, 'slug is taken.', { fields: { slug: 'is taken' } }));
    given('GET /api/plans', refused(503, 'The database does not answer.', { down: 'database' }));
    expect(await faultOf('POST', '/api/plans')).toEqual({
      status: 400,
      message: 'slug is taken.',
      fields: { slug: 'is taken' },
      down: null,
    });
    expect(await faultOf('GET', '/api/plans')).toEqual({
      status: 503,
      message: 'The database does not answer.',
      fields: {},
      down: 'database',
    });
  });

  it.each([
    ['a page of a proxy', '<html>Bad gateway</html>', 'The console answered 502 without a reason.'],
    ['an empty body', '', 'The console answered 502 without a reason.'],
    ['JSON that is no object', 'null', 'The console answered 502 without a reason.'],
    ['JSON without a sentence', '{}', 'The console answered 502.'],
  ])('with %s says at least its status', async (_, body, message) => {
    given('GET /api/plans', () => new Response(body, { status: 502 }));
    expect(await faultOf('GET', '/api/plans')).toEqual({ status: 502, message, fields: {}, down: null });
  });
});

describe('a console that gives no answer', () => {
  it('is reported as not reachable', async () => {
    given('GET /api/plans', unreachable);
    expect(await faultOf('GET', '/api/plans')).toMatchObject({
      status: 0,
      message: 'The console cannot be reached. Check that it still runs, then try again.',
    });
  });

  it('is reported so where the connection ends within the answer', async () => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('{"plans": ['));
      },
      pull: (controller) => controller.error(new TypeError('terminated')),
    });
    given('GET /api/plans', () => new Response(body));
    expect(await faultOf('GET', '/api/plans')).toMatchObject({
      status: 0,
      message: 'The console cannot be reached. Check that it still runs, then try again.',
    });
  });

  it('is no fault where the page itself cancelled the request', async () => {
    held('GET /api/plans', {});
    const leaving = new AbortController();
    const asked = request('GET', '/api/plans', undefined, leaving.signal);
    leaving.abort();
    await expect(asked).rejects.toMatchObject({ name: 'AbortError' });
  });
});

it('says that something else answered, where an answer is a page instead of data', async () => {
  given('GET /api/plans', () => new Response('<html>Sign in to the network</html>'));
  expect(await faultOf('GET', '/api/plans')).toMatchObject({
    status: 200,
    message: 'Something between this page and the console answered instead of it. Reload the page.',
  });
});

/** An answer whose body arrives in these parts, and then ends, or fails when it is said so. */
const inParts = (parts: readonly Uint8Array[], broken?: Promise<void>) => {
  const rest = [...parts];
  return () =>
    new Response(
      new ReadableStream<Uint8Array>({
        async pull(controller) {
          const next = rest.shift();
          if (next !== undefined) return controller.enqueue(next);
          if (broken === undefined) return controller.close();
          await broken;
          controller.error(new TypeError('terminated'));
        },
      }),
    );
};

const LINES = [{ verified: 1, who: 'Zoë €' }, { verified: 2 }, { result: 'whole' }];
const BYTES = new TextEncoder().encode(LINES.map((line) => `${JSON.stringify(line)}\n`).join(''));

async function readAll(): Promise<readonly unknown[]> {
  const lines: unknown[] = [];
  for await (const line of stream('/api/verify', { chain: 'decisions' })) lines.push(line);
  return lines;
}

describe('a progress report', () => {
  it('is read line by line, wherever the network cuts it', async () => {
    for (const size of [1, 2, 3, 7, BYTES.length]) {
      const parts = Array.from({ length: Math.ceil(BYTES.length / size) }, (_, n) =>
        BYTES.slice(n * size, (n + 1) * size),
      );
      given('POST /api/verify', inParts(parts));
      expect(await readAll()).toEqual(LINES);
    }
    expect(changes()[0]).toEqual(['POST /api/verify', { chain: 'decisions' }]);
  });

  it('gives the lines that arrived before the connection ended, then fails', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    given('POST /api/verify', inParts([BYTES.slice(0, 40)], promise));
    const lines: unknown[] = [];
    const reading = async () => {
      for await (const line of stream('/api/verify', {})) {
        lines.push(line);
        resolve();
      }
    };
    await expect(reading()).rejects.toThrow('terminated');
    expect(lines).toEqual([LINES[0]]);
  });

  it('is empty where nothing is sent', async () => {
    given('POST /api/verify', () => new Response(null));
    expect(await readAll()).toEqual([]);
  });

  it('fails with the sentence of a refusal', async () => {
    given('POST /api/verify', refused(403, 'Your roles do not permit audit:verifier.'));
    await expect(readAll()).rejects.toMatchObject({ status: 403, message: 'Your roles do not permit audit:verifier.' });
  });
});
