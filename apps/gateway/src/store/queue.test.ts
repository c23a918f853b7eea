import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { usageLine } from '@gateway/domain/usage/gateway';
import type { UsageRecord } from '@gateway/domain/usage/shape';
import { aUsageRecord } from '@gateway/domain/usage/testing/usage-record';
import { v7 } from 'uuid';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../testing/eventually.ts';
import { createQueue, type Refused } from './queue.ts';
import { type Line, openSpool, type Spool } from './spool.ts';
import { USAGE_RECORD } from './state-directory.ts';
import { noFault, refusing, table } from './testing/queue-parts.ts';

let folder: string;
let spool: Spool<UsageRecord>;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'queue-'));
  spool = openSpool(folder, USAGE_RECORD, noFault);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('a queue', () => {
  it('stores the records of one turn by one write, before their waiting callers continue', async () => {
    const database = table();
    const journalled: number[] = [];
    const journal = {
      ...spool.journal,
      append: (texts: readonly string[]) => {
        journalled.push(texts.length);
        return spool.journal.append(texts);
      },
    };
    const queue = createQueue({ insert: database.insert, spool: { ...spool, journal }, onSpoolFault: noFault });
    const [one, two, three] = [aUsageRecord(), aUsageRecord(), aUsageRecord()];
    const kept: string[] = [];
    const reported = new Promise<void>((resolve) => {
      queue.writeLater(one, () => kept.push(one.id));
      queue.writeLater(two, resolve);
    });
    expect([journalled, kept, database.rows.size]).toEqual([[], [], 0]);
    await reported;
    expect([journalled, kept]).toEqual([[2], [one.id]]);
    queue.writeLater(three, () => kept.push(three.id));
    await queue.drain(1000);
    expect([journalled, kept]).toEqual([
      [2, 1],
      [one.id, three.id],
    ]);
    expect([...database.rows.keys()]).toEqual([one.id, two.id, three.id]);
    expect(spool.kept()).toEqual([]);
  });

  // relay-30
  it('delays a caller whose record is in no file until the database has it', async () => {
    const database = table();
    database.open = false;
    const disk = refusing(spool);
    const queue = createQueue({ insert: database.insert, spool: disk.spool, onSpoolFault: disk.report });
    const one = aUsageRecord();
    const rowsSeen: number[] = [];
    const over = new Promise<void>((resolve) =>
      queue.writeLater(one, () => {
        rowsSeen.push(database.rows.size);
        resolve();
      }),
    );
    await eventually(() => expect(disk.faults).toHaveLength(2)); // the journal, then the spool
    expect(rowsSeen).toEqual([]);
    database.open = true;
    await over;
    expect(rowsSeen).toEqual([1]);
    await queue.drain(1000);
  });
  it('releases callers whose record the journal refused and the spool accepted', async () => {
    const database = table();
    database.open = false;
    const disk = refusing(spool);
    const queue = createQueue({
      insert: database.insert,
      spool: { ...spool, journal: disk.spool.journal },
      onSpoolFault: disk.report,
    });
    const one = aUsageRecord();
    await new Promise<void>((resolve) => queue.writeLater(one, resolve));
    expect([disk.faults.length, spool.kept()]).toEqual([1, [usageLine(one)]]);
    await queue.drain(1000);
  });

  it('writes immediately where the database answers, and stores nothing', async () => {
    const database = table();
    const queue = createQueue({ insert: database.insert, spool, onSpoolFault: noFault });
    const one = aUsageRecord();
    queue.writeLater(one);
    await queue.drain(1000);
    expect([...database.rows.keys()]).toEqual([one.id]);
    expect(spool.kept()).toEqual([]);
  });
  it('rejects a direct write that fails and keeps nothing of it', async () => {
    const database = table();
    database.open = false;
    const queue = createQueue({ insert: database.insert, spool, onSpoolFault: noFault });
    await expect(queue.write(aUsageRecord())).rejects.toThrow('no database');
    expect(queue.waiting).toBe(0);
    expect(spool.kept()).toEqual([]);
  });
  // relay-30
  it('spools what the database does not take and writes it when it answers again', async () => {
    const database = table();
    database.open = false;
    const queue = createQueue({ insert: database.insert, spool, onSpoolFault: noFault });
    const one = aUsageRecord();
    queue.writeLater(one);
    await eventually(() => expect(spool.kept()).toEqual([usageLine(one)]));
    database.open = true;
    await eventually(() => expect(queue.waiting).toBe(0));
    expect(database.rows.get(one.id)).toBe(1);
    expect(spool.kept()).toEqual([]);
  });
  it('takes up what an earlier process left', async () => {
    const database = table();
    const left = Array.from({ length: 150 }, () => aUsageRecord());
    for (const one of left) spool.add(usageLine(one));
    const queue = createQueue({
      insert: database.insert,
      spool: openSpool(folder, USAGE_RECORD, noFault),
      onSpoolFault: noFault,
    });
    await eventually(() => expect(queue.waiting).toBe(0));
    expect([...database.rows.keys()].toSorted((a, b) => a.localeCompare(b))).toEqual(
      left.map(({ id }) => id).toSorted((a, b) => a.localeCompare(b)),
    );
    expect(spool.kept()).toEqual([]);
  });
  it('removes the journals that earlier processes left empty', () => {
    const gone = spawnSync(process.execPath, ['-e', '0']).pid;
    const left = join(folder, `${hostname()}.${gone}.${v7()}.journal`);
    writeFileSync(left, '');
    createQueue({ insert: table().insert, spool, onSpoolFault: noFault });
    expect(existsSync(left)).toBe(false);
  });
  it('leaves the rest in the spool after its drain timeout', async () => {
    const never = new Promise<Refused>(() => undefined);
    const one = aUsageRecord();
    spool.add(usageLine(one));
    const queue = createQueue({ insert: () => never, spool, onSpoolFault: noFault });
    await queue.drain(20);
    expect(spool.kept()).toEqual([usageLine(one)]);
  });
  it('delays no record because the database refuses others', async () => {
    const database = table();
    const left = Array.from({ length: 200 }, () => aUsageRecord());
    for (const one of left) spool.add(usageLine(one));
    const never = new Set(left.slice(0, 100).map(({ id }) => id));
    const insert = async (lines: readonly Line[]): Promise<Refused> => {
      const refused = lines.filter(({ id }) => never.has(id));
      await database.insert(lines.filter(({ id }) => !never.has(id)));
      return new Map(refused.map((line) => [line, new Error('violates a constraint')]));
    };
    const queue = createQueue({ insert, spool, onSpoolFault: noFault });
    await eventually(() => expect(database.rows.size).toBe(100));
    expect(queue.waiting).toBe(100);
    await queue.drain(1000);
    expect(spool.kept()).toHaveLength(100);
  });
});
