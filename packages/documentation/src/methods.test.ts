import { describe, expect, it } from 'vitest';
import {
  LEGACY,
  legacyMethod,
  META,
  MODERN,
  modernMethod,
  NEWEST_LEGACY,
  type Served,
  SUPPORTED,
} from './query-server.ts';
import type { Search } from './search/search.ts';

const served: Served = {
  card: { version: '1.2.3', path: '/v/1.2.3' },
  search: ((query: string) => ({ query })) as unknown as Search,
};
const SERVER = { name: 'gateway-documentation', title: 'Documentation', version: '1.2.3' };
const CALL = { name: 'search_documentation', arguments: { query: 'seats' } };

describe('the revisions', () => {
  it('are served newest first, each once', () => {
    expect([...SUPPORTED].sort().toReversed()).toEqual([...SUPPORTED]);
    expect(new Set(SUPPORTED).size).toBe(SUPPORTED.length);
    expect([SUPPORTED[0], NEWEST_LEGACY]).toEqual([MODERN, LEGACY[0]]);
  });
});

describe('a method of the earlier revisions', () => {
  it.each([...LEGACY])('initialize agrees on %s with a client of it', (revision) => {
    expect(legacyMethod(served, 'initialize', { protocolVersion: revision })).toMatchObject({
      result: { protocolVersion: revision, serverInfo: SERVER },
    });
  });

  it.each([MODERN, '2099-01-01', '', undefined, null, 7, ['2025-06-18']])(
    'initialize offers its newest to %j',
    (revision) => {
      expect(legacyMethod(served, 'initialize', { protocolVersion: revision })).toMatchObject({
        result: { protocolVersion: NEWEST_LEGACY },
      });
    },
  );

  it('calls the tool by its name alone', () => {
    expect(legacyMethod(served, 'tools/call', CALL)).toMatchObject({
      result: { structuredContent: { query: 'seats' } },
    });
    for (const name of ['search', 'SEARCH_DOCUMENTATION', '', undefined, null]) {
      expect(legacyMethod(served, 'tools/call', { ...CALL, name })).toMatchObject({
        error: { code: -32602, message: expect.stringContaining('search_documentation') },
      });
    }
  });

  it.each(['server/discover', 'resources/list', 'prompts/list', 'tools/List', '', 'toString', '__proto__'])(
    'is not %j',
    (method) => {
      expect(legacyMethod(served, method, {})).toEqual({
        error: { code: -32601, message: `This server has no method ${JSON.stringify(method)}.`, status: 404 },
      });
    },
  );
});

describe('a method of the newest revision', () => {
  it.each([
    ['server/discover', {}],
    ['tools/list', {}],
    ['tools/call', CALL],
  ])('%s is complete and names its server', (method, params) => {
    expect(modernMethod(served, method, params)).toMatchObject({
      result: { resultType: 'complete', _meta: { [META.server]: SERVER } },
    });
  });

  it('lists the revisions and may be kept for a while', () => {
    expect(modernMethod(served, 'server/discover', {})).toMatchObject({
      result: { supportedVersions: SUPPORTED, ttlMs: 300_000, cacheScope: 'public' },
    });
    expect(modernMethod(served, 'tools/call', CALL)).not.toHaveProperty('result.ttlMs');
  });

  it.each(['initialize', 'ping', 'notifications/initialized', 'constructor'])('is not %s', (method) => {
    expect(modernMethod(served, method, {})).toMatchObject({ error: { code: -32601, status: 404 } });
  });

  it('has the same tool as the earlier ones', () => {
    const [modern, legacy] = [modernMethod(served, 'tools/list', {}), legacyMethod(served, 'tools/list', {})];
    expect('result' in modern && modern.result['tools']).toEqual('result' in legacy && legacy.result['tools']);
  });
});
