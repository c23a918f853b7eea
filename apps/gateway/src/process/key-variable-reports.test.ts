import type { KeyVariables } from '@gateway/domain/provider/gateway';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { reportKeyVariables } from '../main/background.ts';

let environment: Set<string>;
let named: readonly string[];
let kept: KeyVariables[];
let isDown: boolean;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  [environment, named, kept, isDown] = [new Set(['A_KEY']), ['A_KEY', 'B_KEY'], [], false];
});
afterEach(() => {
  vi.useRealTimers();
});

const start = () =>
  reportKeyVariables({
    gateway: 'one:8080',
    names: async () => {
      if (isDown) throw new Error('the database is stopped');
      return named;
    },
    isSet: (name) => environment.has(name),
    keep: async (variables) => void kept.push(variables),
  });
const pass = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1000);

it('reports at once, and again when something changed or a minute passed', async () => {
  const reports = start();
  await pass(0);
  expect(kept).toEqual([{ gateway: 'one:8080', present: ['A_KEY'], absent: ['B_KEY'] }]);
  await pass(30);
  expect(kept).toHaveLength(1);
  named = ['C_KEY'];
  await pass(10);
  expect(kept.slice(1)).toEqual([{ gateway: 'one:8080', present: [], absent: ['C_KEY'] }]);
  await pass(60);
  expect(kept).toHaveLength(3);
  await reports.close();
  await pass(120);
  expect(kept).toHaveLength(3);
});

it('goes on after the database could not be asked', async () => {
  isDown = true;
  const reports = start();
  await pass(20);
  expect(kept).toEqual([]);
  isDown = false;
  await pass(10);
  expect(kept).toHaveLength(1);
  await reports.close();
});
