import { array, assert, constantFrom, integer, property, record } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CallResult, ResultBatch } from './results.ts';

const NOON = Date.parse('2096-01-01T12:00:00.000Z');
let calls = 0;
const aResult = (change: Partial<CallResult> = {}): CallResult => ({
  decisionId: `decision-${(calls += 1)}`,
  at: NOON,
  endpoint: 'chat',
  provider: 'lab',
  status: 200,
  fault: null,
  keyId: null,
  ...change,
});
const rowsOf = (...results: CallResult[]) => {
  const batch = new ResultBatch();
  for (const result of results) batch.add(result);
  return batch.rows();
};

type Kind = Pick<CallResult, 'endpoint' | 'provider' | 'status'>;

describe('a batch of results', () => {
  it('counts calls of one second that went well in one row, under the first call', () => {
    const [first, second] = [aResult(), aResult({ at: NOON + 999 })];
    const { results } = rowsOf(first, second);
    expect(results).toEqual([
      {
        decisionId: first.decisionId,
        at: '2096-01-01T12:00:00.000Z',
        endpoint: 'chat',
        provider: 'lab',
        status: 200,
        fault: null,
        calls: 2,
      },
    ]);
  });

  it.each([
    ['second', { at: NOON + 1000 }],
    ['endpoint', { endpoint: 'embeddings' }],
    ['provider', { provider: 'vendor' }],
    ['status', { status: 201 }],
  ])('counts calls of another %s apart', (_, change) => {
    expect(rowsOf(aResult(), aResult(change)).results.map((row) => row.calls)).toEqual([1, 1]);
  });

  it.each([
    ['no answer', { status: null, fault: 'connection refused' }],
    ['a status from 400', { status: 400 }],
    ['an answer that broke off', { fault: 'connection closed' }],
  ])('keeps each failed call in a row of its own: %s', (_, change) => {
    const failed = [aResult(change), aResult(change)];
    expect(rowsOf(...failed).results.map(({ decisionId, calls }) => [decisionId, calls])).toEqual(
      failed.map(({ decisionId }) => [decisionId, 1]),
    );
  });

  it('keeps the last use of each key', () => {
    const uses = [aResult({ keyId: 'a', at: NOON + 5 }), aResult({ keyId: 'a' }), aResult({ keyId: 'b', status: 500 })];
    expect(rowsOf(...uses).keyUses).toEqual([
      { keyId: 'a', at: '2096-01-01T12:00:00.005Z' },
      { keyId: 'b', at: '2096-01-01T12:00:00.000Z' },
    ]);
  });

  it('loses no call and names each failed one', () => {
    const some = array(
      record({
        at: integer({ min: NOON, max: NOON + 3000 }),
        endpoint: constantFrom('a', 'b', 'a b'),
        provider: constantFrom('a', 'b', 'b a'),
        status: constantFrom(200, 204, 400, 503, null),
        fault: constantFrom(null, null, 'broke off'),
      }).map((change) => aResult(change)),
      { maxLength: 60 },
    );
    assert(
      property(some, (given) => {
        const { results } = rowsOf(...given);
        const failedOnes = given.filter(({ status, fault }) => status === null || status >= 400 || fault !== null);
        const isLike = (one: Kind) => (other: Kind) =>
          one.endpoint === other.endpoint && one.provider === other.provider && one.status === other.status;
        for (const one of given) {
          const counted = results.filter(isLike(one)).reduce((sum, row) => sum + row.calls, 0);
          expect(counted).toBe(given.filter(isLike(one)).length);
        }
        const named = new Set(results.map(({ decisionId }) => decisionId));
        expect(named.size).toBe(results.length);
        for (const { decisionId } of failedOnes) expect(named).toContain(decisionId);
      }),
    );
  });
});
