import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CLIENT_CAPABILITIES_META_KEY, PROTOCOL_VERSION_META_KEY } from '@modelcontextprotocol/server';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PageAnswer } from './corpus/pages.ts';
import { type Documentation, type DocumentationRequest, openDocumentation } from './documentation.ts';
import { type TestArchive, writeArchive } from './testing/archive.ts';
import { bodyText } from './testing/body-text.ts';

const SECRET = 'content outside of the archive';
const PAGE = 'The page has ünïcode in it, and some length to cut from.';
const CORPUS = `# Guide

## Install the gateway

Run the installer, then set DATABASE_URL to the address of PostgreSQL.

## Rotate a key

\`gatewayctl account rotate-key alice\` makes a new key. The old one is refused from then on.

# Reference

## Limits

A request has at most 64 KiB of headers. 模型 Ключ 🔑
`;

let archive: TestArchive;
let documentation: Documentation;
beforeAll(async () => {
  archive = writeArchive({
    'guide/index.html': PAGE,
    'guide/page.html': PAGE,
    'guide/page.html.gz': Buffer.from([31, 139, 8]),
    'guide/empty.txt': '',
    'a b/ü%41.html': 'odd name',
    'llms-full.txt': CORPUS,
    'llms.txt': '- [Guide](/guide/)\n',
  });
  writeFileSync(join(archive.root, 'secret.txt'), SECRET);
  writeFileSync(join(archive.folder, '.hidden'), SECRET);
  symlinkSync(join(archive.root, 'secret.txt'), join(archive.folder, 'link.txt'));
  symlinkSync(archive.root, join(archive.folder, 'above'));
  const opened = await openDocumentation(archive.folder, () => {});
  if ('fault' in opened) throw new Error(opened.fault);
  documentation = opened;
});
afterAll(() => {
  documentation.close();
  archive.remove();
});

const ask = (target: string, more: Partial<DocumentationRequest> = {}): Promise<PageAnswer> =>
  documentation.answer({ method: 'GET', target, headers: {}, body: async () => Buffer.alloc(0), ...more });

describe('any request', () => {
  const segment = fc.constantFrom(
    '',
    '.',
    '..',
    '%2e%2e',
    '%2E.',
    '..;',
    '..%2f',
    '%252e%252e',
    '%00',
    '%',
    '%zz',
    '%ff',
    'v',
    '1.0.0',
    '2.0.0',
    'guide',
    'page',
    'page.html',
    'page.html.gz',
    'index.html',
    'empty.txt',
    'link.txt',
    'above',
    'secret.txt',
    '.hidden',
    'a%20b',
    '%C3%BC%2541.html',
    '_search',
    '_mcp',
    'archive.json',
    '__proto__',
    'constructor',
    '\\',
    'é',
    '\u{1f511}',
  );
  const target = fc
    .tuple(
      fc.array(segment, { maxLength: 6 }),
      fc.constantFrom('', '/', '?', '?q=key', '?q=%00&limit=-1', '?q=%ff', '//x', '#x'),
    )
    .map(([segments, end]) => `/v/${segments.join('/')}${end}`);
  const headers = fc.record(
    {
      range: fc.constantFrom(
        'bytes=0-0',
        'bytes=-5',
        'bytes=5-',
        'bytes=9-1',
        'bytes=0-1,3-4',
        'bytes=999-',
        'lines=1-2',
        'bytes=-0',
        'bytes=1-99999999999999999999',
      ),
      'accept-encoding': fc.constantFrom('gzip', 'gzip;q=0', 'br, *', '*;q=0', ';;,', 'identity'),
      'if-none-match': fc.constantFrom('*', '"x"', 'W/"x"', ',,', '"'),
      'if-range': fc.constantFrom('"x"', 'W/"x"', 'Mon, 01 Jan 2024 00:00:00 GMT'),
    },
    { requiredKeys: [] },
  );

  it('gets a documented status, its length, and nothing from outside of the archive', async () => {
    await fc.assert(
      fc.asyncProperty(target, headers, async (given, sent) => {
        const answer = await ask(given, { headers: sent });
        expect([200, 206, 302, 304, 400, 404, 405, 416]).toContain(answer.status);
        expect(bodyText(answer)).not.toContain(SECRET);
        const length = Buffer.isBuffer(answer.body) ? String(answer.body.length) : undefined;
        expect(answer.headers['content-length']).toBe(length);
        expect(answer.headers['x-content-type-options']).toBe('nosniff');
        expect(Object.values(answer.headers).join('')).not.toMatch(/[\r\n\0]/);
        expect(answer.headers['location'] ?? '/v/').toMatch(/^\/v\/(?!\/)/);
      }),
      { numRuns: 1000 },
    );
  });

  it('with HEAD gets the headers of GET', async () => {
    await fc.assert(
      fc.asyncProperty(target, headers, async (given, both) => {
        const sent = { ...both, range: undefined };
        const [get, head] = [await ask(given, { headers: sent }), await ask(given, { headers: sent, method: 'HEAD' })];
        expect([head.status, head.headers]).toEqual([get.status, get.headers]);
      }),
      { numRuns: 300 },
    );
  });
});

describe('any range of a page', () => {
  it('is exactly that part of it, or refused', async () => {
    const bytes = Buffer.from(PAGE);
    const number = fc.oneof(fc.constant(''), fc.integer({ min: 0, max: bytes.length + 5 }).map(String));
    await fc.assert(
      fc.asyncProperty(number, number, async (first, last) => {
        const answer = await ask('/v/1.0.0/guide/page.html', { headers: { range: `bytes=${first}-${last}` } });
        const start = first === '' ? Math.max(0, bytes.length - Number(last)) : Number(first);
        const end = first === '' || last === '' ? bytes.length - 1 : Math.min(Number(last), bytes.length - 1);
        const isRange = (first !== '' || last !== '') && (first === '' || last === '' || Number(first) <= Number(last));
        const status = isRange ? (start > end ? 416 : 206) : 200;
        const held = { 200: bytes, 206: bytes.subarray(start, end + 1), 416: Buffer.alloc(0) }[status];
        const range = { 200: undefined, 206: `bytes ${start}-${end}/${bytes.length}`, 416: `bytes */${bytes.length}` }[
          status
        ];
        expect([answer.status, answer.headers['content-range']]).toEqual([status, range]);
        expect(answer.body).toEqual(held);
      }),
      { numRuns: 300 },
    );
  });
});

describe('any question', () => {
  const question = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 60 }),
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc
      .array(fc.constantFrom('key', 'rotate', 'DATABASE_URL', 'gateway', '"', '模型', '(', '-', 'kee', 'gatewayctl'), {
        maxLength: 8,
      })
      .map((words) => words.join(' ')),
  );

  it('is answered with passages of the corpus, as the query server answers it', async () => {
    await fc.assert(
      fc.asyncProperty(question, fc.integer({ min: 1, max: 20 }), async (q, limit) => {
        const text = q.toWellFormed();
        const searched = await ask(`/v/_search?q=${encodeURIComponent(text)}&limit=${limit}`);
        const call = { name: 'search_documentation', arguments: { query: text, limit } };
        const body = JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/call', params: call });
        const called = await ask('/v/_mcp', { method: 'POST', body: async () => Buffer.from(body) });
        const { result } = JSON.parse(bodyText(called)) as { result: { structuredContent?: unknown; isError?: true } };
        expect([200, 400]).toContain(searched.status);
        expect([called.status, result.isError === true]).toEqual([200, searched.status === 400]);
        expect(result.structuredContent ?? null).toEqual(
          searched.status === 400 ? null : JSON.parse(bodyText(searched)),
        );
      }),
      { numRuns: 200 },
    );
  });
});

describe('any message to the query server', () => {
  const json = fc.jsonValue({ maxDepth: 3 });
  const revision = fc.constantFrom('2026-07-28', '2026-07-28', '2025-06-18', '2099-01-01', '2025-12-01', '\u00ff', '');
  const name = fc.constantFrom('search_documentation', 'search', '=?base64?YQ==?=', '=?base64?_?=', '\u00ff');
  const meta = fc.dictionary(
    fc.constantFrom(PROTOCOL_VERSION_META_KEY, CLIENT_CAPABILITIES_META_KEY, 'progressToken', '__proto__'),
    fc.oneof(revision, json, fc.constant({})),
  );
  const mirrored = fc.record(
    {
      'mcp-protocol-version': revision,
      'mcp-method': fc.constantFrom('ping', 'tools/call', 'server/discover', 'x'),
      'mcp-name': name,
    },
    { requiredKeys: [] },
  );
  const message = fc.oneof(
    json.map((value) => JSON.stringify(value)),
    fc
      .record(
        {
          jsonrpc: fc.constantFrom<unknown>('2.0', '1.0', 2),
          id: fc.oneof(fc.constantFrom<unknown>(1, 'one', null, 1.5, {}, []), fc.integer()),
          method: fc.constantFrom<unknown>(
            'ping',
            'initialize',
            'tools/list',
            'tools/call',
            'server/discover',
            'subscriptions/listen',
            'notifications/x',
            '',
            7,
          ),
          params: fc.oneof(json, fc.record({ name, _meta: meta, arguments: json }, { requiredKeys: [] })),
        },
        { requiredKeys: [] },
      )
      .map((value) => JSON.stringify(value)),
    fc.constantFrom('', '[]', '{', '\ufeff{}', '{"__proto__":1}', '['.repeat(5000), 'null'),
  );

  it('gets one JSON object, an empty 202, or a refusal, and its own id', async () => {
    await fc.assert(
      fc.asyncProperty(message, mirrored, async (body, headers) => {
        const answer = await ask('/v/_mcp', { method: 'POST', headers, body: async () => Buffer.from(body) });
        expect([200, 202, 400, 404]).toContain(answer.status);
        const text = bodyText(answer) === '' ? '{}' : bodyText(answer);
        const { id, ...said } = JSON.parse(text) as { id?: unknown; error?: unknown; result?: unknown };
        const members = Object.keys(said).filter((name) => name === 'error' || name === 'result');
        expect(members).toHaveLength(answer.status === 202 ? 0 : 1);
        // The error of a refusal is a sentence; it was refused before its id was read.
        const isAnswered = members.length > 0 && typeof said.error !== 'string';
        const asked = isAnswered ? (JSON.parse(body) as { id?: unknown }).id : undefined;
        expect([null, undefined, asked]).toContainEqual(id);
      }),
      { numRuns: 1000 },
    );
  });
});
