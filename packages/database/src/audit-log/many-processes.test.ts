import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase, verdictOn } from '../testing/index.ts';
import { DECISIONS } from './index.ts';

const PROGRAM = new URL('../testing/append-process.ts', import.meta.url).pathname;
let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

interface Appender {
  readonly child: ChildProcess;
  /** The entries confirmed as durable. */
  readonly sequences: number[];
  readonly ended: Promise<number | null>;
}

function appender(count: number, callers: number): Appender {
  const child = spawn(process.execPath, [PROGRAM, database.gatewayUrl, String(count), String(callers)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const sequences: number[] = [];
  let rest = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    sequences.push(...lines.map(Number));
  });
  return { child, sequences, ended: once(child, 'close').then(([code]) => code as number | null) };
}

// log-9
it('several gateway processes make one chain without a gap', async () => {
  const all = [appender(300, 1), appender(300, 8), appender(300, 32)];
  expect(await Promise.all(all.map(({ ended }) => ended))).toEqual([0, 0, 0]);
  const sequences = all.flatMap((one) => one.sequences).sort((a, b) => a - b);
  expect(sequences).toEqual(Array.from({ length: 900 }, (_, index) => index + 1));
  expect(await verdictOn(database.sql, DECISIONS)).toMatchObject({ ok: true, entries: 900n });
});

it('a process that is killed or frozen in the middle breaks nothing and blocks no other', async () => {
  const [killed, frozen, other] = [appender(1_000_000, 16), appender(1_000_000, 16), appender(400, 8)];
  await once(killed.child.stdout as NodeJS.ReadableStream, 'data');
  await once(frozen.child.stdout as NodeJS.ReadableStream, 'data');
  killed.child.kill('SIGKILL');
  frozen.child.kill('SIGSTOP');
  expect(await other.ended).toBe(0);
  frozen.child.kill('SIGKILL');
  await Promise.all([killed.ended, frozen.ended]);
  const kept = await database.sql<{ sequence: bigint }[]>`select sequence from authorization_decisions`;
  const numbers = new Set(kept.map(({ sequence }) => Number(sequence)));
  for (const sequence of [...killed.sequences, ...frozen.sequences, ...other.sequences]) {
    expect(numbers.has(sequence)).toBe(true);
  }
  expect(await verdictOn(database.sql, DECISIONS)).toMatchObject({ ok: true, entries: BigInt(kept.length) });
});
