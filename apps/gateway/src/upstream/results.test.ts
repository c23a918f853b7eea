import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type CallResult, createUpstreamResults, type ResultRows } from './results.ts';

let calls = 0;
const aResult = (change: Partial<CallResult> = {}): CallResult => ({
  decisionId: `decision-${(calls += 1)}`,
  at: Date.parse('2096-01-01T12:00:00.000Z'),
  endpoint: 'chat',
  provider: 'lab',
  status: 200,
  fault: null,
  keyId: 'key',
  ...change,
});
const failed = (): CallResult => aResult({ status: 500 });

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());
const PAUSE = 1000;

function started() {
  const kept: ResultRows[] = [];
  const reports: string[] = [];
  const state = { failing: false, meanwhile: (): void => undefined };
  const results = createUpstreamResults(
    (rows) => {
      if (state.failing) return Promise.reject(new Error('no database'));
      kept.push(rows);
      state.meanwhile();
      return Promise.resolve();
    },
    (line) => void reports.push(line),
  );
  return { results, kept, reports, state };
}

describe('results of providers on their way to the database', () => {
  it('leave together after a second', async () => {
    const { results, kept } = started();
    for (let call = 0; call < 3; call += 1) results.add(aResult());
    expect(kept).toEqual([]);
    await vi.advanceTimersByTimeAsync(PAUSE);
    expect(kept.map((rows) => rows.results.map((row) => row.calls))).toEqual([[3]]);
    expect(results.waiting).toBe(0);
  });

  it('wait for the next second if they come while others are written', async () => {
    const { results, kept, state } = started();
    state.meanwhile = () => results.add(failed());
    results.add(failed());
    await vi.advanceTimersByTimeAsync(PAUSE);
    expect(kept).toHaveLength(1);
    state.meanwhile = () => undefined;
    await vi.advanceTimersByTimeAsync(PAUSE);
    expect(kept).toHaveLength(2);
  });

  it('are sent again unchanged, those that came later in a batch of their own', async () => {
    const { results, kept, state, reports } = started();
    state.failing = true;
    results.add(aResult());
    await vi.advanceTimersByTimeAsync(PAUSE);
    expect(reports).toHaveLength(1);
    results.add(aResult());
    state.failing = false;
    await vi.advanceTimersByTimeAsync(2 * PAUSE);
    expect(kept.map((rows) => rows.results.map((row) => row.calls))).toEqual([[1], [1]]);
  });

  it('leave in statements of at most 500 rows, with the uses of keys once', async () => {
    const { results, kept } = started();
    for (let call = 0; call < 501; call += 1) results.add(failed());
    await vi.advanceTimersByTimeAsync(PAUSE);
    expect(kept.map((rows) => [rows.results.length, rows.keyUses.length])).toEqual([
      [500, 1],
      [1, 0],
    ]);
  });

  it('are dropped above 10,000 rows, which the operator learns when the database is back', async () => {
    const { results, kept, state, reports } = started();
    state.failing = true;
    for (let call = 0; call < 10_002; call += 1) results.add(failed());
    await vi.advanceTimersByTimeAsync(PAUSE);
    expect(results.waiting).toBe(10_000);
    state.failing = false;
    await vi.advanceTimersByTimeAsync(PAUSE);
    expect(kept.reduce((sum, rows) => sum + rows.results.length, 0)).toBe(10_000);
    expect(reports.at(-1)).toContain('2 results of providers were not kept');
  });

  it('are stored at the end, those of a failed batch and those after it', async () => {
    const { results, kept, state } = started();
    state.failing = true;
    results.add(failed());
    await vi.advanceTimersByTimeAsync(PAUSE);
    results.add(failed());
    state.failing = false;
    await results.close();
    expect(kept.map((rows) => rows.results.length)).toEqual([1, 1]);
  });

  it('are named to the operator if the end finds no database', async () => {
    const { results, state, reports } = started();
    state.failing = true;
    results.add(failed());
    results.add(failed());
    await results.close();
    expect(reports.at(-1)).toContain('2 results of providers could not be kept');
  });
});
