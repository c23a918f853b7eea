import postgres from 'postgres';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { parseDatabaseAddress } from './address.ts';
import { createLink } from './link.ts';
import { DatabaseUnavailable } from './unavailable.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('a run on a link', () => {
  it.each<[string, () => Promise<never>]>([
    ['throws before it gave a promise', () => raise()],
    ['rejects', () => Promise.reject(new TypeError('no such parameter'))],
  ])('whose work %s fails, and leaves no deadline', async (_, work) => {
    // No server listens there: the work fails before it sends anything.
    const address = parseDatabaseAddress('postgres://somebody@127.0.0.1:9/nowhere');
    const link = createLink({ address, applicationName: 'link of the test', budgetMs: 5000 });
    const running = link.run(performance.now() + 5000, work);
    await expect(running).rejects.toThrow(DatabaseUnavailable);
    await vi.advanceTimersByTimeAsync(5000); // the timer of all deadlines stays armed until it finds none
    expect(vi.getTimerCount()).toBe(0);
    link.cut();
  });
});

describe('work that may run twice', () => {
  it.each([
    ['is repeated until its deadline while the server is away', '57P03', true],
    ['is not repeated where the server refuses the sign-in', '28P01', false],
  ])('%s', async (_, code, isRepeated) => {
    const address = parseDatabaseAddress('postgres://somebody@127.0.0.1:9/nowhere');
    const link = createLink({ address, applicationName: 'link of the test', budgetMs: 5000, isRepeatable: true });
    const error = new postgres.PostgresError({ severity: 'FATAL', code } as unknown as string);
    let attempts = 0;
    const running = link.run(performance.now() + 5000, () => {
      attempts += 1;
      return attempts < 3 ? Promise.reject(error) : Promise.resolve('done');
    });
    const outcome = running.catch(() => 'failed');
    await vi.advanceTimersByTimeAsync(1000);
    expect([await outcome, attempts]).toEqual(isRepeated ? ['done', 3] : ['failed', 1]);
    link.cut();
  });
});

describe('an error of the server', () => {
  it.each([
    ['ERROR', postgres.PostgresError],
    ['FATAL', DatabaseUnavailable],
    ['PANIC', DatabaseUnavailable],
  ])('of severity %s is reported as such in any language of the server', async (severity, kind) => {
    const address = parseDatabaseAddress('postgres://somebody@127.0.0.1:9/nowhere');
    const link = createLink({ address, applicationName: 'link of the test', budgetMs: 5000 });
    const fields = { severity, severity_local: 'ВАЖНО', code: '57P01', message: 'закрытие подключения' };
    const error = new postgres.PostgresError(fields as unknown as string);
    await expect(link.run(performance.now() + 5000, () => Promise.reject(error))).rejects.toThrow(kind);
    link.cut();
  });
});

function raise(): never {
  throw new TypeError('no such parameter');
}
