import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { usageLine } from '@gateway/domain/usage/gateway';
import type { UsageRecord } from '@gateway/domain/usage/shape';
import { aUsageRecord } from '@gateway/domain/usage/testing/usage-record';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../testing/eventually.ts';
import { createQueue, type Refused } from './queue.ts';
import { type Line, openSpool, type Spool } from './spool.ts';
import { USAGE_RECORD } from './state-directory.ts';
import { linesOf, noFault, table } from './testing/queue-parts.ts';

let folder: string;
let spool: Spool<UsageRecord>;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'queue-'));
  spool = openSpool(folder, USAGE_RECORD, noFault);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('a record that is still being made', () => {
  const rough = aUsageRecord();
  const exact: UsageRecord = { ...rough, outputTokens: 4711 };

  it('is awaited, and written once in its final form', async () => {
    const inserted: Line[] = [];
    const insert = async (lines: readonly Line[]): Promise<Refused> => {
      inserted.push(...lines);
      return new Map();
    };
    const queue = createQueue({ insert, spool, onSpoolFault: noFault });
    const making = Promise.withResolvers<UsageRecord>();
    await new Promise<void>((resolve) => queue.writeLater(rough, resolve, making.promise));
    expect(linesOf(folder)).toEqual([rough.id]);
    const drained = queue.drain(60_000);
    making.resolve(exact);
    await drained;
    expect(inserted).toEqual([usageLine(exact)]);
    spool.journal.close();
    expect(linesOf(folder)).toEqual([]);
  });
  it('keeps its first form after its timeout', async () => {
    const database = table();
    const queue = createQueue({ insert: database.insert, spool, onSpoolFault: noFault });
    queue.writeLater(rough, undefined, new Promise(() => undefined));
    await queue.drain(20);
    spool.journal.close();
    expect(database.rows.size).toBe(0);
    expect(openSpool(folder, USAGE_RECORD, noFault).kept()).toEqual([usageLine(rough)]);
  });
  it('is stored in its final form where the database is unavailable', async () => {
    const database = table();
    database.open = false;
    const queue = createQueue({ insert: database.insert, spool, onSpoolFault: noFault });
    queue.writeLater(rough, undefined, Promise.resolve(exact));
    await queue.drain(1000);
    spool.journal.close();
    expect(openSpool(folder, USAGE_RECORD, noFault).kept().at(-1)).toEqual(usageLine(exact));
  });
});

describe('records without a waiting caller', () => {
  it('are written by one statement, so many at most', async () => {
    const statements: number[] = [];
    const insert = async (lines: readonly Line[]): Promise<Refused> => {
      statements.push(lines.length);
      return new Map();
    };
    const queue = createQueue({ insert, spool, onSpoolFault: noFault });
    for (let count = 0; count < 300; count += 1) queue.writeLater(aUsageRecord());
    await queue.drain(60_000);
    expect(statements).toEqual([128, 128, 44]);
    expect(spool.kept()).toEqual([]);
  });

  it('keep those that the database refuses, and only those', async () => {
    const [good, bad] = [aUsageRecord(), aUsageRecord()];
    const insert = async (lines: readonly Line[]): Promise<Refused> =>
      new Map(lines.filter(({ id }) => id === bad.id).map((line) => [line, new Error('violates a constraint')]));
    const queue = createQueue({ insert, spool, onSpoolFault: noFault });
    queue.writeLater(good);
    queue.writeLater(bad);
    await eventually(() => expect(queue.waiting).toBe(1));
    await queue.drain(1000);
    expect(spool.kept()).toEqual([usageLine(bad)]);
  });

  it('are written after a short while, without others', async () => {
    const database = table();
    const queue = createQueue({ insert: database.insert, spool, onSpoolFault: noFault });
    queue.writeLater(aUsageRecord());
    await eventually(() => expect(database.rows.size).toBe(1));
    await queue.drain(1000);
  });
});
