import { refusal } from '@gateway/contract';
import {
  CLIENT_CAPABILITIES_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  SERVER_INFO_META_KEY,
} from '@modelcontextprotocol/server';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadArchive } from './corpus/archive.ts';
import { answerQuery, type Served } from './query-server.ts';
import type { Search } from './search/search.ts';
import { prepareSearch } from './search/search.ts';
import { writeArchive } from './testing/archive.ts';
import { corpusOf, FILLER } from './testing/corpus.ts';

const MODERN = '2026-07-28';
const CLIENT = { capabilities: {}, clientInfo: { name: 'test', version: '1' } };
const META = {
  version: PROTOCOL_VERSION_META_KEY,
  capabilities: CLIENT_CAPABILITIES_META_KEY,
  server: SERVER_INFO_META_KEY,
};
const TOO_LARGE = refusal('body-too-large', { details: { bytes: '65536' } });

let served: Served;
let search: Search;

beforeAll(async () => {
  const folder = writeArchive({ 'llms-full.txt': corpusOf({ ...FILLER, Turbine: 'The turbine turns.' }) });
  const archive = await loadArchive(folder.folder);
  folder.remove();
  if ('fault' in archive) throw new Error(archive.fault);
  const prepared = await prepareSearch(archive);
  if (prepared === null) throw new Error('no corpus');
  search = prepared;
  served = { card: archive.card, search };
});

const rpc = (method: string, params?: unknown, id: unknown = 1) => ({ jsonrpc: '2.0', id, method, params });

interface Options {
  readonly method?: string;
  readonly headers?: Record<string, string | undefined>;
  readonly without?: boolean;
}

async function post(body: unknown, { method = 'POST', headers = {}, without = false }: Options = {}) {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  const answer = await answerQuery(without ? null : served, {
    method,
    headers: { host: '127.0.0.1:6001', ...headers },
    body: (most) => Promise.resolve(bytes.length > most ? TOO_LARGE : bytes),
  });
  const sent = Buffer.isBuffer(answer.body) ? answer.body.toString() : '';
  return { status: answer.status, headers: answer.headers, text: sent, json: sent === '' ? null : JSON.parse(sent) };
}

it('hands a fault of the search to the gateway, which logs it', async () => {
  const failing: Served = {
    ...served,
    search() {
      throw new Error('the index is gone');
    },
  };
  const body = Buffer.from(JSON.stringify(call({ query: 'turbine' })));
  const asked = answerQuery(failing, {
    method: 'POST',
    headers: { host: '127.0.0.1:6001' },
    body: () => Promise.resolve(body),
  });
  await expect(asked).rejects.toThrow('the index is gone');
});

const call = (given: unknown, name: unknown = 'search_documentation') => rpc('tools/call', { name, arguments: given });

/** A request of the revision 2026-07-28. */
function modern(
  method: string,
  params: Record<string, unknown> = {},
  { meta = {}, headers = {} }: { meta?: Record<string, unknown>; headers?: Record<string, string | undefined> } = {},
) {
  const envelope = { [META.version]: MODERN, [META.capabilities]: {}, ...meta };
  return post(rpc(method, { ...params, _meta: envelope }), {
    headers: {
      'mcp-protocol-version': MODERN,
      'mcp-method': method,
      'mcp-name': typeof params['name'] === 'string' ? params['name'] : undefined,
      ...headers,
    },
  });
}

describe('before any message is read', () => {
  it('other methods than POST are refused with the sentence', async () => {
    for (const method of ['GET', 'HEAD', 'DELETE', 'OPTIONS', 'PUT']) {
      expect(await post('', { method })).toMatchObject({
        status: 405,
        headers: { allow: 'POST' },
        json: {
          error:
            'This MCP endpoint answers POST only. It is stateless and opens no event stream. To read the same answers without MCP, use /v/_search?q=...',
        },
      });
    }
  });
  it('a foreign page is refused', async () => {
    expect((await post(rpc('ping'), { headers: { origin: 'https://evil.example' } })).status).toBe(403);
    expect((await post(rpc('ping'), { headers: { origin: 'http://127.0.0.1:6001' } })).status).toBe(200);
  });
  it('an archive without a corpus cannot answer', async () => {
    expect(await post(rpc('ping'), { without: true })).toMatchObject({
      status: 501,
      json: { error: expect.stringContaining('llms-full.txt') },
    });
  });
  it('a body that is too large is not read to its end', async () => {
    expect((await post(call({ query: 'x'.repeat(600_000) }))).status).toBe(413);
  });
  it.each(['', '{', 'hello', '[]', `[${JSON.stringify(rpc('ping'))}]`, '7', '"x"', 'null', 'true'])(
    '%j is refused with the sentence',
    async (body) => {
      expect(await post(body)).toMatchObject({
        status: 400,
        json: { error: 'This MCP endpoint expects a single JSON-RPC 2.0 message as the request body.' },
      });
    },
  );
  it.each(['utf16le', 'latin1'] as const)('a body in %s is refused with the sentence', async (encoding) => {
    const body = Buffer.from('{"jsonrpc":"2.0","id":"é","method":"ping"}', encoding);
    expect((await post(body)).status).toBe(400);
  });
});

describe('earlier revisions', () => {
  it.each([
    ['2025-11-25', '2025-11-25'],
    ['2025-06-18', '2025-06-18'],
    ['2025-03-26', '2025-03-26'],
    ['1999-01-01', '2025-11-25'],
    ['2026-07-28', '2025-11-25'],
    ['', '2025-11-25'],
  ])('initialize with %s agrees on %s', async (asked, agreed) => {
    const { status, headers, json } = await post(rpc('initialize', { ...CLIENT, protocolVersion: asked }));
    expect(status).toBe(200);
    expect(json.result).toMatchObject({
      protocolVersion: agreed,
      capabilities: { tools: {} },
      serverInfo: { name: 'gateway-documentation', version: '1.0.0' },
    });
    expect(headers).not.toHaveProperty('mcp-session-id');
  });
  it('ping is answered with nothing', async () => {
    expect((await post(rpc('ping'))).json).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
  });
  it('the header of an earlier revision changes nothing', async () => {
    expect((await post(rpc('ping'), { headers: { 'mcp-protocol-version': '2025-06-18' } })).status).toBe(200);
  });
  it('there is one tool, with the schemas of what it takes and gives', async () => {
    const { tools } = (await post(rpc('tools/list'))).json.result;
    expect(tools).toHaveLength(1);
    expect(tools[0]).toMatchObject({
      name: 'search_documentation',
      inputSchema: { type: 'object', required: ['query'], additionalProperties: false },
      outputSchema: { type: 'object' },
      annotations: { readOnlyHint: true },
    });
    expect(Object.keys(tools[0].inputSchema.properties).sort()).toEqual(['limit', 'query']);
  });
  it('no schema lists types: some clients refuse them, so a section is one of two alternatives', async () => {
    const { tools } = (await post(rpc('tools/list'))).json.result;
    const { results } = tools[0].outputSchema.properties;
    expect(results.items.properties.section).toMatchObject({ anyOf: [{ type: 'string' }, { type: 'null' }] });
    expect(JSON.stringify(tools)).not.toMatch(/"type":\[/);
  });
  it('a question of signs alone has no answer', async () => {
    const { structuredContent } = (await post(call({ query: "' OR 1=1 --" }))).json.result;
    expect(structuredContent).toMatchObject({ answered: false, results: [] });
  });
  // documentation-11
  it('a call gives what search answers, as data and as text', async () => {
    for (const given of [{ query: 'turbine' }, { query: 'setting queue', limit: 3 }, { query: 'zeppelin' }]) {
      const { result } = (await post(call(given))).json;
      const searched = JSON.parse(JSON.stringify(search(given.query, given.limit ?? 5)));
      expect(result).toEqual({
        content: [{ type: 'text', text: JSON.stringify(searched) }],
        structuredContent: searched,
      });
    }
  });
  it.each([
    [{}, 'query'],
    [{ query: '' }, 'query'],
    [{ query: ' \t\n' }, 'query'],
    [{ query: 7 }, 'query'],
    [{ query: 'a'.repeat(1001) }, 'query'],
    [{ query: 'turbine', limit: 0 }, 'limit'],
    [{ query: 'turbine', limit: 21 }, 'limit'],
    [{ query: 'turbine', limit: '5' }, 'limit'],
    [{ query: 'turbine', limit: 2.5 }, 'limit'],
    [{ query: 'turbine', limit: null }, 'limit'],
    [{ query: 'turbine', Limit: 5 }, 'Limit'],
    [{ query: 'turbine', ['y'.repeat(50)]: 1 }, 'yyy'],
    [{ query: 'turbine', toString: 1 }, 'toString'],
    [JSON.parse('{"__proto__": { "query": "turbine" }}'), 'query'],
    [undefined, 'query'],
  ])('a call with %j has a result that explains the fault', async (given, named) => {
    const { status, json } = await post(call(given));
    expect(status).toBe(200);
    expect(json.result).toEqual({ content: [{ type: 'text', text: expect.stringContaining(named) }], isError: true });
  });
  it('accepts what its schema accepts', async () => {
    const { query, limit } = (await post(rpc('tools/list'))).json.result.tools[0].inputSchema.properties;
    expect([query, limit]).toMatchObject([
      { type: 'string', minLength: 1, maxLength: 1000 },
      { type: 'integer', minimum: 1, default: 5, maximum: 20 },
    ]);
    for (const text of ['x', '💡'.repeat(1000)]) {
      for (const number of [limit.minimum, limit.default, limit.maximum]) {
        expect((await post(call({ query: text, limit: number }))).json.result).not.toHaveProperty('isError');
      }
    }
  });
  it.each([
    [rpc('resources/list'), -32601],
    [rpc('server/discover'), -32601],
    [rpc('subscriptions/listen', { notifications: { toolsListChanged: true } }), -32601],
    [rpc('tools/List'), -32601],
    [rpc(''), -32601],
    [rpc('__proto__'), -32601],
    [rpc('initialize', { ...CLIENT, protocolVersion: 7 }), -32603],
    [call({ query: 'x' }, 'delete_documentation'), -32602],
    [call({ query: 'x' }, 'SEARCH_DOCUMENTATION'), -32602],
    [call({ query: 'x' }, '__proto__'), -32602],
    [call({ query: 'x' }, null), -32602],
    [call([]), -32602],
    [call('turbine'), -32602],
    // documentation-12
  ])('%j is a protocol error inside 200', async (message, code) => {
    const { status, json } = await post(message);
    expect([status, json.jsonrpc, json.id, json.error.code]).toEqual([200, '2.0', 1, code]);
    expect(json.error.message).not.toBe('');
  });
  it.each([7, 0, -1, 'seven', '0', ''])('the id %j comes back', async (id) => {
    expect((await post(rpc('ping', undefined, id))).json).toEqual({ jsonrpc: '2.0', id, result: {} });
  });
  it('a message may be nested as deeply as its length allows', async () => {
    const nested = `${'{"a":['.repeat(5000)}1${']}'.repeat(5000)}`;
    for (const method of ['ping', 'tools/call', 'initialize', 'notifications/cancelled']) {
      const { status, json } = await post(`{"jsonrpc":"2.0","id":7,"method":"${method}","params":${nested}}`);
      expect([status, json.id]).toEqual([200, 7]);
    }
  });
  it('an unknown revision in the header is refused', async () => {
    const { status, json } = await post(rpc('ping'), { headers: { 'mcp-protocol-version': '2025-12-01' } });
    expect([status, json.error.code]).toEqual([400, -32_000]);
    expect(json.error.message).toContain('2025-11-25');
  });
  it('a notification gets 202 and no body', async () => {
    expect(await post({ jsonrpc: '2.0', method: 'notifications/initialized' })).toMatchObject({
      status: 202,
      text: '',
    });
  });
});

describe('revision 2026-07-28', () => {
  it('is discovered', async () => {
    const { status, json } = await modern('server/discover');
    expect(status).toBe(200);
    expect(json.result).toMatchObject({
      resultType: 'complete',
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: {} },
      ttlMs: expect.any(Number),
      cacheScope: 'public',
      _meta: { [META.server]: { name: 'gateway-documentation', version: '1.0.0' } },
    });
  });
  it('lists the tool and how long that may be cached', async () => {
    const { result } = (await modern('tools/list')).json;
    expect(result).toMatchObject({ resultType: 'complete', cacheScope: 'public' });
    expect(result.ttlMs).toBeGreaterThan(0);
  });
  it('calls the tool', async () => {
    const { status, json } = await modern('tools/call', {
      name: 'search_documentation',
      arguments: { query: 'turbine' },
    });
    expect(status).toBe(200);
    expect(json.result).toMatchObject({ resultType: 'complete', structuredContent: { answered: true } });
    expect(json.result.structuredContent).toEqual(JSON.parse(JSON.stringify(search('turbine', 5))));
  });
  it('takes a name that is written in base64', async () => {
    const encoded = Buffer.from('search_documentation').toString('base64');
    const headers = { 'mcp-name': `=?base64?${encoded}?=` };
    const params = { name: 'search_documentation', arguments: { query: 'turbine' } };
    expect((await modern('tools/call', params, { headers })).status).toBe(200);
  });
  it('has neither removed nor unknown methods', async () => {
    for (const method of ['initialize', 'ping', 'resources/list', 'subscriptions/listen', 'constructor']) {
      const { status, json } = await modern(method, { notifications: { toolsListChanged: true } });
      expect([status, json.error.code, json.id]).toEqual([404, -32601, 1]);
    }
  });
  it('has the same tool as the earlier ones', async () => {
    const [current, earlier] = [await modern('tools/list'), await post(rpc('tools/list'))];
    expect(current.json.result.tools).toEqual(earlier.json.result.tools);
  });
  it.each([
    ['no version header', { 'mcp-protocol-version': undefined }, -32020],
    ['the version of an earlier revision in the header', { 'mcp-protocol-version': '2025-06-18' }, -32020],
    ['no method header', { 'mcp-method': undefined }, -32020],
    ['another method in the header', { 'mcp-method': 'tools/list' }, -32020],
    ['the method in capitals', { 'mcp-method': 'TOOLS/CALL' }, -32020],
    ['no name header', { 'mcp-name': undefined }, -32020],
    ['another name in the header', { 'mcp-name': 'another_tool' }, -32020],
    ['a name in broken base64', { 'mcp-name': '=?base64?c2Vh!!?=' }, -32020],
    ['a name in base64 that is no UTF-8', { 'mcp-name': '=?base64?/////w==?=' }, -32020],
  ])('%s is 400 with %d', async (_, headers, code) => {
    const { status, json } = await modern('tools/call', { name: 'search_documentation', arguments: {} }, { headers });
    expect([status, json.error.code]).toEqual([400, code]);
  });
  it.each([
    ['no capabilities', { [META.capabilities]: undefined }, -32602],
    ['capabilities that are no object', { [META.capabilities]: [] }, -32602],
    ['no version', { [META.version]: undefined }, -32602],
    ['a version that is no text', { [META.version]: 7 }, -32602],
  ])('metadata with %s is 400 with %d', async (_, meta, code) => {
    const { status, json } = await modern('tools/list', {}, { meta });
    expect([status, json.error.code]).toEqual([400, code]);
  });
  it('another unknown revision is 400 with the supported ones', async () => {
    const { status, json } = await modern(
      'tools/list',
      {},
      { meta: { [META.version]: '2099-01-01' }, headers: { 'mcp-protocol-version': '2099-01-01' } },
    );
    expect([status, json.error.code]).toEqual([400, -32022]);
    expect(json.error.data).toEqual({ supported: expect.arrayContaining([MODERN]), requested: '2099-01-01' });
  });
  it('a header of it without its metadata is 400', async () => {
    const { status, json } = await post(rpc('ping'), { headers: { 'mcp-protocol-version': MODERN } });
    expect([status, json.error.code]).toEqual([400, -32602]);
  });
  it('a call without a name is a protocol error', async () => {
    const { status, json } = await modern('tools/call', {});
    expect([status, json.error.code]).toEqual([200, -32602]);
  });
});

describe('in any revision', () => {
  it.each([
    '{}',
    '{"id":3}',
    '{"jsonrpc":"1.0","id":3,"method":"ping"}',
    '{"jsonrpc":"2.0","id":null,"method":"ping"}',
    '{"jsonrpc":"2.0","id":true,"method":"ping"}',
    '{"jsonrpc":"2.0","id":{},"method":"ping"}',
    '{"jsonrpc":"2.0","id":1.5,"method":"ping"}',
    '{"jsonrpc":"2.0","id":12345678901234567890,"method":"ping"}',
    '{"jsonrpc":"2.0","id":3,"method":7}',
    '{"jsonrpc":"2.0","id":3,"method":"ping","params":[1]}',
    '{"jsonrpc":"2.0","id":3,"method":"ping","params":null}',
    '{"__proto__":{"jsonrpc":"2.0","method":"ping"},"id":3}',
  ])('%s is no message', async (body) => {
    for (const headers of [{}, { 'mcp-protocol-version': MODERN }]) {
      const { status, json } = await post(body, { headers });
      expect([status, json.error.code]).toEqual([400, -32600]);
    }
  });
  it.each([
    '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}',
    '{"jsonrpc":"2.0","id":1,"result":{}}',
    '{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}}',
  ])('%s gets no answer', async (body) => {
    expect(await post(body)).toMatchObject({ status: 202, text: '' });
    const current = await post(body, { headers: { 'mcp-protocol-version': MODERN } });
    expect(current).not.toHaveProperty('json.result');
  });
  it('only the headers that mirror the body are read', async () => {
    const headers = {
      'content-type': 'text/plain',
      accept: 'text/html',
      'mcp-session-id': 'x',
      'last-event-id': '1',
      authorization: 'Bearer x',
      'content-length': '3',
    };
    const { status, headers: sent, json } = await post(rpc('ping'), { headers });
    expect([status, json.result]).toEqual([200, {}]);
    expect(Object.keys(sent).sort()).toEqual([
      'cache-control',
      'content-length',
      'content-type',
      'cross-origin-resource-policy',
      'referrer-policy',
      'x-content-type-options',
    ]);
  });
});
