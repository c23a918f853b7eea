import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { type UsageRecord, usageLine } from '@gateway/database/gateway';
import { aUsageRecord } from '@gateway/database/testing';
import { v7 } from 'uuid';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { USAGE_RECORD } from '../usage/usage-record.ts';
import { createQueue } from './queue.ts';
import type { Refused } from './queue-types.ts';
import { type Line, openSpool, type Spool } from './spool.ts';

/** A database that answers while `open` is true, and counts its records by id. */
function table() {
  const rows = new Map<string, number>();
  const self = {
    open: true,
    rows,
    insert: async (lines: readonly Line[]): Promise<Refused> => {
      if (!self.open) throw new Error('no database');
      for (const { id } of lines) rows.set(id, (rows.get(id) ?? 0) + 1);
      return new Map();
    },
  };
  return self;
}

const noFault = (fault: unknown): void => {
  throw fault;
};

/** A disk that accepts nothing while it is full. */
function refusing(behind: Spool<UsageRecord>) {
  const faults: unknown[] = [];
  const self = { full: true, faults, report: (fault: unknown): number => faults.push(fault) };
  const look = (): void => {
    if (self.full) throw new Error('disk full');
  };
  const append = (texts: readonly string[]): (() => void) => {
    look();
    return behind.journal.append(texts);
  };
  const add = (one: Line): void => {
    look();
    behind.add(one);
  };
  return Object.assign(self, { spool: { ...behind, journal: { ...behind.journal, append }, add } });
}

/** Ids in all files, as a later process would find them. */
const linesOf = (directory: string): unknown[] =>
  readdirSync(directory)
    .flatMap((name) => readFileSync(join(directory, name), 'utf8').split('\n'))
    .filter((line) => line !== '')
    .map((line) => (JSON.parse(line) as UsageRecord).id);

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
  it('reports a disk that refuses, and retries from memory', async () => {
    const database = table();
    database.open = false;
    const faults: unknown[] = [];
    const broken: Spool<UsageRecord> = {
      ...spool,
      add: () => {
        throw new Error('disk full');
      },
    };
    const queue = createQueue({
      insert: database.insert,
      spool: broken,
      onSpoolFault: (fault) => faults.push(fault),
    });
    const one = aUsageRecord();
    queue.writeLater(one);
    await eventually(() => expect(faults).toHaveLength(1));
    database.open = true;
    await eventually(() => expect(database.rows.get(one.id)).toBe(1));
  });

  it('writes a record to the disk once it recovers, while the database is still unavailable', async () => {
    const database = table();
    database.open = false;
    const disk = refusing(spool);
    const queue = createQueue({ insert: database.insert, spool: disk.spool, onSpoolFault: disk.report });
    const one = aUsageRecord();
    queue.writeLater(one);
    await eventually(() => expect(disk.faults).toHaveLength(2)); // the journal, then the spool
    disk.full = false;
    await queue.drain(1000);
    expect(spool.kept()).toEqual([usageLine(one)]);
  });
  it('after its timeout leaves pending records on disk that the journal refused', async () => {
    const disk = refusing(spool);
    const never = new Promise<Refused>(() => undefined);
    const queue = createQueue({ insert: () => never, spool: disk.spool, onSpoolFault: disk.report });
    const one = aUsageRecord();
    queue.writeLater(one);
    disk.full = false;
    await queue.drain(20);
    expect(spool.kept()).toEqual([usageLine(one)]);
  });
  it('keeps a record in the journal as long as the spool does not take it', async () => {
    const database = table();
    database.open = false;
    const disk = refusing(spool);
    const queue = createQueue({
      insert: database.insert,
      spool: { ...disk.spool, journal: spool.journal },
      onSpoolFault: disk.report,
    });
    const one = aUsageRecord();
    queue.writeLater(one);
    await eventually(() => expect(disk.faults).toHaveLength(1));
    await queue.drain(1000);
    spool.journal.close();
    expect(openSpool(folder, USAGE_RECORD, noFault).kept()).toEqual([usageLine(one)]);
  });
  it('leaves every record that the disk accepts, even after it refused one', () => {
    const faults: unknown[] = [];
    const [one, two, three] = [aUsageRecord(), aUsageRecord(), aUsageRecord()];
    const add = (each: Line): void => {
      if (each.id === two.id) throw new Error('disk full');
      spool.add(each);
    };
    const onSpoolFault = (fault: unknown): number => faults.push(fault);
    createQueue({ insert: table().insert, spool: { ...spool, add }, onSpoolFault }).leave(
      [one, two, three].map(usageLine),
    );
    expect(spool.kept().map(({ id }) => id)).toEqual([one.id, three.id]);
    expect(faults).toHaveLength(1);
  });
  it('continues where a file of a written record cannot be removed', async () => {
    const database = table();
    const left = Array.from({ length: 150 }, () => aUsageRecord());
    for (const one of left) spool.add(usageLine(one));
    const faults: unknown[] = [];
    const remove = (id: string): void => {
      if (id === left[0]?.id) throw new Error('read-only');
      spool.remove(id);
    };
    const onSpoolFault = (fault: unknown): number => faults.push(fault);
    const queue = createQueue({ insert: database.insert, spool: { ...spool, remove }, onSpoolFault });
    await eventually(() => expect(database.rows.size).toBe(150));
    expect([queue.waiting, faults.length]).toEqual([0, 1]);
    expect(spool.kept().map(({ id }) => id)).toEqual([left[0]?.id]);
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
