import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createDeadlines, type Deadlines } from './link.ts';

let deadlines: Deadlines;
beforeEach(() => {
  vi.useFakeTimers();
  deadlines = createDeadlines();
});
afterEach(() => {
  vi.useRealTimers();
});

const within = (milliseconds: number, running: Promise<unknown> = new Promise(() => {})): Promise<unknown> =>
  deadlines
    .within(performance.now() + milliseconds, running, () => new Error('late'))
    .catch((error: Error) => error.message);

it('returns a timely result unchanged', async () => {
  expect(await within(10, Promise.resolve('there'))).toBe('there');
  expect(await within(10, Promise.reject(new Error('refused')))).toBe('refused');
});

it('ends each at its own deadline, in any order of requests', async () => {
  const ended: string[] = [];
  const wait = (milliseconds: number, name: string): void => {
    within(milliseconds).then(
      (message) => ended.push(`${name} ${String(message)}`),
      () => {},
    );
  };
  wait(50, 'second');
  wait(90, 'third');
  wait(20, 'first');
  await vi.advanceTimersByTimeAsync(19);
  expect(ended).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(ended).toEqual(['first late']);
  await vi.advanceTimersByTimeAsync(30);
  expect(ended).toEqual(['first late', 'second late']);
  await vi.advanceTimersByTimeAsync(40);
  expect(ended).toEqual(['first late', 'second late', 'third late']);
  expect(vi.getTimerCount()).toBe(0);
});

it('has one timer for any number of runs, and none once it found nothing waiting', async () => {
  for (let count = 0; count < 100; count += 1) await within(1000 + count, Promise.resolve(count));
  expect(vi.getTimerCount()).toBe(1);
  const waiting = within(1500);
  await vi.advanceTimersByTimeAsync(1000);
  expect(vi.getTimerCount()).toBe(1);
  await vi.advanceTimersByTimeAsync(500);
  expect(await waiting).toBe('late');
  expect(vi.getTimerCount()).toBe(0);
});

it('rejects a request made after its deadline', async () => {
  const waiting = within(-5);
  await vi.advanceTimersByTimeAsync(1);
  expect(await waiting).toBe('late');
});
