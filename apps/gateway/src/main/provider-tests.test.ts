import type { ProviderTest, ProviderTestResult } from '@gateway/domain/provider/gateway';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type RawAnswer, type RawEngine, startRawEngine } from '../testing/raw-engine.ts';
import { createUpstreams, type Upstreams } from '../upstream/upstreams.ts';
import { startProviderTests } from './background.ts';

const KEY = 'sk-secret-of-the-provider';
const MODELS = { data: [{ id: 'small' }, { id: 'large' }] };

const answerOf = (body: unknown, status = '200 OK'): string => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return `HTTP/1.1 ${status}\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
};

let upstreams: Upstreams;
let engine: RawEngine;
let answer: RawAnswer;
let heads: string[];
let waiting: ProviderTest[];
let results: Map<string, ProviderTestResult>;
let opened: { close(): Promise<void> }[];
let budget: AbortController;
let arrived: () => void;

beforeAll(async () => {
  engine = await startRawEngine((socket, head, nth) => {
    heads.push(head);
    answer(socket, head, nth);
  });
  const tls = { addedAuthorities: [], client: null };
  upstreams = createUpstreams({ httpsProxy: null, httpProxy: null, noProxy: null, tls, idleTimeout: 30_000 });
});
afterAll(async () => {
  await upstreams.close();
  await engine.stop();
});
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  budget = new AbortController();
  vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => budget.signal);
  [heads, waiting, results, opened] = [[], [], new Map(), []];
  answer = (socket) => socket.write(answerOf(MODELS));
  arrived = () => {};
});
afterEach(async () => {
  await Promise.all(opened.map((one) => one.close()));
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** Declares a provider of the engine whose test an administrator requests. */
function request(id: string, more: Partial<ProviderTest['provider']> = {}): void {
  const provider = { id: `id-${id}`, slug: id, baseUrl: engine.url, apiKeyEnv: null, apiKeyHeader: null, ...more };
  waiting.push({ id, provider });
}

function start(more: { readonly take?: () => Promise<ProviderTest | null> } = {}) {
  const tests = startProviderTests({
    take: more.take ?? (async () => waiting.shift() ?? null),
    async finish(id, result) {
      results.set(id, result);
      arrived();
    },
    upstreams,
    providerKeys: (name) => (name === 'ENGINE_KEY' ? KEY : name === 'BROKEN_KEY' ? 'two\nlines' : null),
    clientCertificate: false,
  });
  opened.push(tests);
  return tests;
}

/** The result of a test, once the gateway has looked for requests. */
async function resultOf(id: string): Promise<ProviderTestResult> {
  vi.advanceTimersByTime(2000);
  for (;;) {
    const result = results.get(id);
    if (result !== undefined) return result;
    await new Promise<void>((resolve) => (arrived = resolve));
  }
}

describe('the test of a provider', () => {
  it('names the models of the engine, and its key leaves in the declared header only', async () => {
    request('keyed', { baseUrl: `${engine.url}/base`, apiKeyEnv: 'ENGINE_KEY', apiKeyHeader: 'x-api-key' });
    start();
    expect(await resultOf('keyed')).toEqual({ status: 200, fault: null, models: ['small', 'large'] });
    expect(heads[0]).toMatch(/^GET \/base\/v1\/models HTTP\/1\.1\r\n/);
    expect(heads[0]).toContain(`\r\nx-api-key: ${KEY}`);
    expect(heads[0]).not.toMatch(/authorization/i);
  });

  it.each([
    ['', '/v1/models'],
    ['/', '//v1/models'],
    ['/v1', '/v1/models'],
    ['/v1/', '/v1//models'],
    ['/openai/v12', '/openai/v12/models'],
    ['/v1/deployment', '/v1/deployment/v1/models'],
  ])('at the Base URL with the path %j asks for %s, as a call would', async (path, target) => {
    request('at', { baseUrl: engine.url + path });
    start();
    await resultOf('at');
    expect(heads[0]?.split(' ')[1]).toBe(target);
  });

  it.each<[what: string, body: unknown, models: string[]]>([
    ['is no JSON', '<html>Welcome</html>', []],
    ['is empty', '', []],
    ['is null', 'null', []],
    ['has no list', { data: { id: 'x' } }, []],
    ['has elements of other kinds', { data: [null, 1, 'x', [], { id: 2 }, { id: null }, { id: 'kept' }] }, ['kept']],
    ['has names that a database cannot store', { data: [{ id: 'a\0b' }, { id: '\ud800' }, { id: 'kept' }] }, ['kept']],
    ['has names of any length', { data: [{ id: 'x'.repeat(201) }, { id: 'y'.repeat(200) }] }, ['y'.repeat(200)]],
    ['has names in any script', { data: [{ id: '模型 🤖' }] }, ['模型 🤖']],
    [
      'has many models',
      { data: Array.from({ length: 1000 }, (_, nth) => ({ id: String(nth) })) },
      Array.from({ length: 200 }, (_, nth) => String(nth)),
    ],
  ])('whose answer %s names what it can', async (_what, body, models) => {
    answer = (socket) => socket.write(answerOf(body));
    request('odd');
    start();
    expect(await resultOf('odd')).toEqual({ status: 200, fault: null, models });
  });

  it.each([
    ['401 Unauthorized', 401],
    ['404 Not Found', 404],
    ['500 Internal Server Error', 500],
  ])('answered with %s reports the status and no fault', async (line, status) => {
    answer = (socket) => socket.write(answerOf({ error: { message: 'no' } }, line));
    request('status');
    start();
    expect(await resultOf('status')).toEqual({ status, fault: null, models: [] });
  });

  it('does not follow a redirection', async () => {
    answer = (socket) =>
      socket.write(`HTTP/1.1 302 Found\r\nlocation: ${engine.url}/latest/meta-data\r\ncontent-length: 0\r\n\r\n`);
    request('redirected');
    start();
    expect(await resultOf('redirected')).toEqual({ status: 302, fault: null, models: [] });
    expect(heads).toHaveLength(1);
  });

  it('masks the key where the engine repeats it among its models', async () => {
    answer = (socket) => socket.write(answerOf({ data: [{ id: `model of ${KEY}` }] }));
    request('echo', { apiKeyEnv: 'ENGINE_KEY' });
    start();
    expect((await resultOf('echo')).models).toEqual([`model of ${'*'.repeat(KEY.length)}`]);
  });

  it('reads no more than a megabyte of an endless answer', async () => {
    let isCut = false;
    answer = (socket) => {
      socket.once('close', () => (isCut = true));
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      const more = (): void => {
        if (!isCut) socket.write('x'.repeat(64 * 1024), () => setImmediate(more));
      };
      more();
    };
    request('endless');
    start();
    expect(await resultOf('endless')).toEqual({ status: 200, fault: null, models: [] });
  });
});

describe('the fault of a provider', () => {
  it.each<[what: string, provider: Partial<ProviderTest['provider']>, fault: RegExp]>([
    ['a variable that is not set', { apiKeyEnv: 'ABSENT_KEY' }, /ABSENT_KEY/],
    [
      'a key that no header carries',
      { apiKeyEnv: 'BROKEN_KEY' },
      /BROKEN_KEY has characters that a header cannot contain/,
    ],
    ['a Base URL that is none', { baseUrl: 'ftp://engine.example' }, /^The Base URL cannot be used: correct it\.$/],
    ['a port where nothing listens', { baseUrl: 'http://127.0.0.1:1' }, /ECONNREFUSED.*Check its Base URL/],
  ])('is named for %s, and nothing is sent', async (_what, provider, fault) => {
    request('faulty', provider);
    start();
    expect(await resultOf('faulty')).toEqual({ status: null, fault: expect.stringMatching(fault), models: [] });
    expect(heads).toEqual([]);
  });

  it.each<[what: string, answer: RawAnswer]>([
    ['closes without an answer', (socket) => socket.destroy()],
    ['is no HTTP server', (socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n')],
    ['breaks its answer off', (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"data"')],
    ['has a header of its key', (socket) => socket.end(`HTTP/1.1 200 OK\r\n${KEY}\r\n\r\n`)],
  ])('that %s is a sentence without its key', async (_what, given) => {
    answer = given;
    request('broken', { apiKeyEnv: 'ENGINE_KEY' });
    start();
    const { status, fault } = await resultOf('broken');
    expect(status).toBeNull();
    expect(fault).toMatch(/^The provider could not be reached: .+\.$/s);
    expect(fault).not.toContain(KEY);
  });

  it.each([
    ['before its head', ''],
    ['in its body', 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{'],
  ])('that hangs %s is that it did not answer in time', async (_when, bytes) => {
    answer = (socket) =>
      socket.write(bytes, () => setImmediate(() => budget.abort(new DOMException('', 'TimeoutError'))));
    request('hanging');
    start();
    const fault = 'The provider did not answer within 10 seconds.';
    expect(await resultOf('hanging')).toEqual({ status: null, fault, models: [] });
  });
});

describe('requests for tests', () => {
  it('are served in order, one after the other, and a faulty provider delays none', async () => {
    request('1', { baseUrl: 'http://127.0.0.1:1' });
    request('2');
    request('3', { baseUrl: 'no address' });
    request('4');
    start();
    await resultOf('4');
    expect([...results].map(([id, { status }]) => [id, status])).toEqual([
      ['1', null],
      ['2', 200],
      ['3', null],
      ['4', 200],
    ]);
  });

  it('are looked for again after the database could not be asked', async () => {
    const asked: (() => void)[] = [];
    let times = 0;
    const asks = (): Promise<void> => new Promise((resolve) => asked.push(resolve));
    start({
      take: async () => {
        times += 1;
        for (const one of asked.splice(0)) one();
        if (times === 1) throw new Error('the database is stopped');
        return waiting.shift() ?? null;
      },
    });
    const first = asks();
    vi.advanceTimersByTime(2000);
    await first;
    request('later');
    await new Promise(setImmediate);
    expect((await resultOf('later')).status).toBe(200);
  });

  it('that wait when the gateway stops are left to another one, and the running one ends', async () => {
    const taken = Promise.withResolvers<void>();
    let finish = (): void => {};
    answer = (socket) => {
      finish = () => socket.write(answerOf(MODELS));
      taken.resolve();
    };
    request('running');
    request('waiting');
    const tests = start();
    vi.advanceTimersByTime(2000);
    await taken.promise;
    const closed = tests.close();
    finish();
    await closed;
    expect([...results.keys()]).toEqual(['running']);
    expect(waiting.map(({ id }) => id)).toEqual(['waiting']);
  });
});
