import { assert, integer, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { answerSearch, isTooLong, LONGEST_QUESTION, MOST_PASSAGES, USUAL_PASSAGES } from './route.ts';
import type { Search } from './search.ts';

/** A search that returns what it was asked. */
const search = ((query: string, limit: number) => ({ query, limit })) as unknown as Search;
const answerOf = (query: string, method = 'GET', of: Search | null = search) => {
  const { status, headers, body } = answerSearch(of, method, query);
  return { status, headers, json: JSON.parse(Buffer.isBuffer(body) ? body.toString() : '') };
};

describe('a question in an address', () => {
  it.each([
    ['?q=seats', 'seats'],
    ['?q=%C3%A9t%C3%A9+fort', 'été fort'],
    ['?q=a%26b%3D1', 'a&b=1'],
    ['?limit=3&q=x&other=y', 'x'],
    ['?q=first&q=second', 'first'],
    ['?q=%ff', '\ufffd'],
  ])('%s is %j', (query, question) => {
    expect(answerOf(query).json.query).toBe(question);
  });

  it('is read as it was written, for any text', () => {
    assert(
      property(string({ unit: 'grapheme', minLength: 1, maxLength: 100 }), (text) => {
        if (text.trim() === '') return;
        expect(answerOf(`?${new URLSearchParams({ q: text }).toString()}`).json.query).toBe(text);
      }),
    );
  });

  it.each(['', '?', '?q=', '?q=+%20', '?Q=x', '?query=x', '?q'])(
    'is missing in %j, and the answer shows how to ask',
    (query) => {
      expect(answerOf(query)).toMatchObject({
        status: 400,
        json: { error: expect.stringContaining('/v/_search?q=<words>') },
      });
    },
  );

  it('has at most 1000 characters, as people count them', () => {
    expect(isTooLong('🔒'.repeat(LONGEST_QUESTION))).toBe(false);
    expect(isTooLong('🔒'.repeat(LONGEST_QUESTION + 1))).toBe(true);
    expect(answerOf(`?q=${'x'.repeat(1000)}`).status).toBe(200);
    expect(answerOf(`?q=${'x'.repeat(1001)}`)).toMatchObject({
      status: 400,
      json: { error: 'A question holds at most 1000 characters.' },
    });
  });
});

describe('the number of passages', () => {
  it.each([
    ['1', 1],
    ['20', 20],
    ['0', 1],
    ['-5', 1],
    ['21', MOST_PASSAGES],
    ['9'.repeat(400), MOST_PASSAGES],
    ['%2B3', 3],
    ['', USUAL_PASSAGES],
    ['2.5', USUAL_PASSAGES],
    ['ten', USUAL_PASSAGES],
    ['0x10', USUAL_PASSAGES],
    ['1e1', USUAL_PASSAGES],
    ['+7', USUAL_PASSAGES],
  ])('for limit=%s is %d', (limit, number) => {
    expect(answerOf(`?q=x&limit=${limit}`).json.limit).toBe(number);
  });

  it('is within its bounds for every number', () => {
    assert(
      property(integer(), (limit) => {
        expect(answerOf(`?q=x&limit=${limit}`).json.limit).toBe(Math.min(20, Math.max(1, limit)));
      }),
    );
  });
});

describe('a search that cannot be answered', () => {
  it('is one with another method, which names those that are served', () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'get']) {
      expect(answerOf('?q=x', method)).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } });
    }
    expect(answerOf('?q=x', 'HEAD').status).toBe(200);
  });

  it('is one without a corpus, whatever the question', () => {
    for (const query of ['?q=x', '']) {
      expect(answerOf(query, 'GET', null)).toMatchObject({
        status: 501,
        json: { error: expect.stringContaining('llms-full.txt') },
      });
    }
  });
});
