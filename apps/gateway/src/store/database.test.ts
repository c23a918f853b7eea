import { DatabaseUnavailable } from '@gateway/database';
import { createTestDatabase } from '@gateway/database/testing';
import { beforeEach, expect, it } from 'vitest';
import { createDatabaseWatch, type DatabaseWatch } from './database.ts';

const MINUTE = 60_000;
const AGAIN = 'DATABASE_URL: the database answers again.';
let lines: string[];
let now: number;
let watch: DatabaseWatch;
beforeEach(() => {
  lines = [];
  now = 1000;
  watch = createDatabaseWatch(
    (line) => lines.push(line),
    () => now,
  );
});

const fails = async (source: string, error: Error = gone('connect ECONNREFUSED 127.0.0.1:5432')): Promise<void> => {
  await expect(watch.observe(source, Promise.reject(error))).rejects.toBe(error);
};
const answers = async (source: string): Promise<void> => {
  expect(await watch.observe(source, Promise.resolve('an answer'))).toBe('an answer');
};
const gone = (why: string): Error =>
  new DatabaseUnavailable('the database is not available', { cause: new Error(why) });

it('logs an outage once, with its cause, and its end once', async () => {
  await answers('facts');
  await fails('facts');
  await fails('facts');
  await answers('facts');
  await answers('facts');
  expect(lines).toEqual([
    'DATABASE_URL: the database fails, and calls are refused with 503 meanwhile: connect ECONNREFUSED 127.0.0.1:5432.',
    AGAIN,
  ]);
});

it('is not over while one kind of query still fails', async () => {
  await fails('decisions', gone('could not extend file: No space left on device'));
  await answers('facts');
  expect(lines).toHaveLength(1);
  await answers('decisions');
  expect(lines).toEqual([expect.stringContaining('No space left on device'), AGAIN]);
});

it('logs an unstable database at most once a minute', async () => {
  for (let round = 0; round < 5; round += 1) {
    await fails('facts');
    await answers('facts');
  }
  expect(lines).toHaveLength(2);
  now += MINUTE;
  await fails('facts');
  expect(lines).toHaveLength(3);
});

it('logs an outage that began within that minute at its end', async () => {
  await fails('facts');
  await answers('facts');
  await fails('facts');
  now += MINUTE;
  await fails('facts');
  expect(lines).toHaveLength(3);
});

it('logs the next outage, even if the end of the previous one was not seen', async () => {
  await fails('checks');
  await answers('facts');
  now += MINUTE / 2;
  await fails('facts');
  expect(lines).toHaveLength(1);
  now += MINUTE;
  await fails('facts', gone('another cause'));
  expect(lines).toEqual([expect.any(String), expect.stringContaining('another cause')]);
});

it('is silent about a record that the database refuses because of its content', async () => {
  const database = await createTestDatabase();
  const refused = await database.sql`select 1 / 0`.then(
    () => new Error('it was taken'),
    (error: Error) => error,
  );
  await database.drop();
  await fails('decisions', refused);
  await fails('usage', new DatabaseUnavailable('the database is not available', { cause: refused }));
  expect(lines).toEqual([]);
});
