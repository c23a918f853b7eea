import { assert, constantFrom, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { envelopeFault, isModern, META, MODERN } from './query-server.ts';

const META_DATA = { [META.version]: MODERN, [META.capabilities]: {} };
const HEADERS = { 'mcp-protocol-version': MODERN, 'mcp-method': 'tools/call' };
const nameFault = (header: string | undefined, name: unknown) =>
  envelopeFault({ ...HEADERS, 'mcp-name': header }, 'tools/call', { name, _meta: META_DATA });
const base64 = (text: string): string => `=?base64?${Buffer.from(text).toString('base64')}?=`;

describe('a request of the newest revision', () => {
  it.each([
    [{ 'mcp-protocol-version': MODERN }, {}, true],
    [{ 'mcp-protocol-version': '2099-01-01' }, {}, true],
    [{ 'mcp-protocol-version': '' }, {}, true],
    [{}, { _meta: META_DATA }, true],
    [{}, { _meta: { [META.version]: 7 } }, true],
    [{ 'mcp-protocol-version': '2025-06-18' }, { _meta: META_DATA }, true],
    [{ 'mcp-protocol-version': '2025-06-18' }, {}, false],
    [{}, { _meta: {} }, false],
    [{}, { _meta: [META.version] }, false],
    [{}, { _meta: null }, false],
    [{}, {}, false],
  ])('is announced by header %j or parameters %j: %s', (headers, params, modern) => {
    expect(isModern(headers, params)).toBe(modern);
  });

  it.each([
    ['the header of the version', {}, { _meta: META_DATA }, -32020, 'The header MCP-Protocol-Version is missing.'],
    [
      'a version that is served',
      { 'mcp-protocol-version': '2099-01-01' },
      {},
      -32022,
      'This server does not implement',
    ],
    ['the version in its metadata', { 'mcp-protocol-version': MODERN }, {}, -32602, '_meta must carry'],
    [
      'one version',
      HEADERS,
      { _meta: { ...META_DATA, [META.version]: '2025-06-18' } },
      -32020,
      'the body "2025-06-18"',
    ],
    [
      'the header of the method',
      { 'mcp-protocol-version': MODERN },
      { _meta: META_DATA },
      -32020,
      'says nothing, the body "tools/call"',
    ],
    ['its capabilities', HEADERS, { _meta: { [META.version]: MODERN } }, -32602, META.capabilities],
    ['a name', HEADERS, { _meta: META_DATA }, -32602, 'params.name must be a string.'],
  ])('needs %s', (_, headers, params, code, message) => {
    expect(envelopeFault(headers, 'tools/call', params)).toMatchObject({
      code,
      status: 400,
      message: expect.stringContaining(message),
    });
  });
});

describe('the header with the name of a tool', () => {
  it('is the name, or the name in Base64, for any text', () => {
    assert(
      property(string({ unit: 'grapheme', maxLength: 40 }), (name) => {
        expect(nameFault(base64(name), name)).toBeNull();
        const plain = name.replace(/^=/, '');
        expect(nameFault(plain, plain)).toBeNull();
      }),
    );
  });

  it('is not another name, nor one that cannot be decoded', () => {
    const broken = constantFrom(
      '=?base64?YQ?=',
      '=?base64?YQ=?=',
      '=?base64?_-==?=',
      '=?base64?/w==?=',
      '=?BASE64?YQ==?=',
      'a ',
      'A',
      '',
    );
    assert(
      property(broken, (header) => {
        expect(nameFault(header, 'a')).toMatchObject({ code: -32020, status: 400 });
      }),
    );
    expect(nameFault(undefined, 'a')?.message).toBe('The header Mcp-Name says nothing, the body "a".');
    expect(nameFault('x'.repeat(9999), 'a')?.message).toHaveLength(
      'The header Mcp-Name says "", the body "a".'.length + 100,
    );
  });

  it('is not needed by other methods', () => {
    const headers = { ...HEADERS, 'mcp-method': 'tools/list' };
    expect(envelopeFault(headers, 'tools/list', { _meta: META_DATA })).toBeNull();
  });
});
