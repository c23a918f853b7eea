import { assert, jsonValue, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { callTool, TOOL } from './query-server.ts';
import type { Search } from './search/search.ts';

const search = ((query: string, limit: number) => ({ query, limit })) as unknown as Search;
const call = (given: unknown) => callTool(search, given);
const faultOf = (given: unknown) => {
  const { isError, content } = call(given) as { isError?: boolean; content: readonly { text: string }[] };
  return isError === true ? content[0]?.text : null;
};

describe('a call of the search tool', () => {
  it.each([
    [{ query: 'seats' }, { query: 'seats', limit: 5 }],
    [
      { query: ' seats ', limit: 1 },
      { query: ' seats ', limit: 1 },
    ],
    [
      { query: 'x'.repeat(1000), limit: 20 },
      { query: 'x'.repeat(1000), limit: 20 },
    ],
    [{ query: '🔒'.repeat(1000) }, { query: '🔒'.repeat(1000), limit: 5 }],
  ])('with %j asks the search', (given, asked) => {
    expect(call(given)).toEqual({ content: [{ type: 'text', text: JSON.stringify(asked) }], structuredContent: asked });
  });

  it.each([
    {},
    undefined,
    null,
    { query: '' },
    { query: ' \n' },
    { query: 7 },
    { query: null },
    { query: 'x'.repeat(1001) },
    { limit: 3 },
  ])('without a question is refused: %j', (given) => {
    expect(faultOf(given)).toBe('query must be text of 1 to 1000 characters, not only blanks.');
  });

  it.each([0, 21, -1, 2.5, '5', null, [5]])('with the limit %j is refused', (limit) => {
    expect(faultOf({ query: 'x', limit })).toBe('limit must be a whole number from 1 to 20.');
  });

  it.each([7, 'text', [], ['query'], true])('with %j in place of its arguments is refused', (given) => {
    expect(faultOf(given)).toBe('The arguments must be an object.');
  });

  it('names an argument that does not exist, shortened, also one of every object', () => {
    expect(faultOf({ query: 'x', limits: 3 })).toBe('There is no argument "limits".');
    expect(faultOf({ query: 'x', toString: 1 })).toBe('There is no argument "toString".');
    expect(faultOf(JSON.parse('{"__proto__": 1, "query": "x"}'))).toBe('There is no argument "__proto__".');
    expect(faultOf({ ['y'.repeat(5000)]: 1 })).toHaveLength('There is no argument "".'.length + 100);
  });

  it('inherits no argument', () => {
    expect(faultOf(Object.create({ query: 'x' }))).toMatch(/^query must be/);
  });

  it('gives a result or a fault for any arguments, never an exception', () => {
    assert(
      property(jsonValue(), (given) => {
        expect(call(given)).toHaveProperty('content.0.text');
      }),
    );
  });

  it('accepts what its schema accepts', () => {
    const { query, limit } = TOOL.inputSchema.properties;
    for (const length of [query.minLength, query.maxLength]) {
      for (const number of [limit.minimum, limit.default, limit.maximum]) {
        expect(faultOf({ query: 'x'.repeat(length), limit: number })).toBeNull();
      }
    }
    expect(faultOf({ query: 'x', limit: limit.maximum + 1 })).not.toBeNull();
  });
});
