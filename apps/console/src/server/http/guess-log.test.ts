import type { Decision } from '@gateway/contract';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { GuessLog } from './services.ts';

let appended: Decision[];
let takes: boolean;
let log: GuessLog;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  appended = [];
  takes = true;
  log = new GuessLog((decision) => {
    if (takes) appended.push(decision);
    return takes;
  });
});
afterEach(() => {
  vi.useRealTimers();
});
const guess = (sourceAddress: string | null, id = 'x') => log.add({ id, sourceAddress, detail: null } as Decision);
const recorded = () => appended.map(({ id, sourceAddress, detail }) => [id, sourceAddress, detail]);

it('records a single guess unchanged', () => {
  guess('192.0.2.1', 'one');
  expect(appended).toEqual([]);
  vi.advanceTimersByTime(500);
  expect(recorded()).toEqual([['one', '192.0.2.1', null]]);
});

it('records a burst as one entry with a count, each address its own', () => {
  for (let index = 0; index < 60; index += 1) guess('192.0.2.1', `guess-${index}`);
  guess(null);
  vi.advanceTimersByTime(500);
  expect(recorded()).toEqual([
    ['guess-0', '192.0.2.1', '60 refused sign-ins from this address within 1 s'],
    ['x', null, null],
  ]);
});

it('records a continuing flood at growing intervals', () => {
  for (let second = 0; second < 600; second += 1) {
    guess('192.0.2.1');
    vi.advanceTimersByTime(1000);
  }
  expect(appended.length).toBeLessThan(25);
  log.close();
  const counts = appended.map(({ detail }) => Number(/^\d+/.exec(detail ?? '1')?.[0]));
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(600);
});

it('keeps what the log cannot take yet', () => {
  takes = false;
  guess('192.0.2.1', 'kept');
  vi.advanceTimersByTime(2000);
  guess('192.0.2.1');
  takes = true;
  log.close();
  expect(recorded()).toEqual([['kept', '192.0.2.1', expect.stringMatching(/^2 refused sign-ins/)]]);
  expect(vi.getTimerCount()).toBe(0);
});
