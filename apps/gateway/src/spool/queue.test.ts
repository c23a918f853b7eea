import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { UsageRecord } from '@gateway/database/gateway';
import { v7 } from 'uuid';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../testing/eventually.ts';
import { USAGE_RECORD } from '../usage/usage-record.ts';
import { createQueue } from './queue.ts';
import { openSpool, type Spool } from './spool.ts';

const record = (): UsageRecord => ({
  id: v7(),
  timestamp: new Date('2026-11-21T10:00:00.000Z'),
  subject: 'caller',
  endpoint: 'chat',
  model: 'model',
  modelId: v7(),
  inputTokens: 1,
  outputTokens: 2,
  latencyMs: 3,
  usageSource: 'reported',
  interrupted: false,
});

/** A database that answers as long as `open` is true, and counts what it took by id. */
function table() {
  const rows = new Map<string, number>();
  const self = {
    open: true,
    rows,
    insert: async ({ id }: UsageRecord): Promise<void> => {
      if (!self.open) throw new Error('no database');
      rows.set(id, (rows.get(id) ?? 0) + 1);
    },
  };
  return self;
}

const noFault = (fault: unknown): void => {
  throw fault;
};

let folder: string;
let spool: Spool<UsageRecord>;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'queue-'));
  spool = openSpool(folder, USAGE_RECORD, noFault);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('a queue', () => {
  it('keeps the records of one turn by one write, before anybody who waits for that goes on', async () => {
    const database = table();
    const journalled: number[] = [];
    const journal = {
      ...spool.journal,
      append: (records: readonly UsageRecord[]) => {
        journalled.push(records.length);
        return spool.journal.append(records);
      },
    };
    const queue = createQueue({ insert: database.insert, spool: { ...spool, journal }, onSpoolFault: noFault });
    const [one, two, three] = [record(), record(), record()];
    const kept: string[] = [];
    const told = new Promise<void>((resolve) => {
      queue.writeLater(one, () => kept.push(one.id));
      queue.writeLater(two, resolve);
    });
    expect([journalled, kept, database.rows.size]).toEqual([[], [], 0]);
    await told;
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

  it('lets those go on who wait for a record that the disk does not take', async () => {
    const database = table();
    const faults: unknown[] = [];
    const journal = {
      ...spool.journal,
      append: () => {
        throw new Error('the disk is full');
      },
    };
    const onSpoolFault = (error: unknown): number => faults.push(error);
    const queue = createQueue({ insert: database.insert, spool: { ...spool, journal }, onSpoolFault });
    await new Promise<void>((resolve) => queue.writeLater(record(), resolve));
    await queue.drain(1000);
    expect([faults.length, database.rows.size]).toEqual([1, 1]);
  });

  it('writes at once where the database answers, and keeps nothing', async () => {
    const database = table();
    const queue = createQueue({ insert: database.insert, spool, onSpoolFault: noFault });
    const one = record();
    queue.writeLater(one);
    await queue.drain(1000);
    expect([...database.rows.keys()]).toEqual([one.id]);
    expect(spool.kept()).toEqual([]);
  });
  it('rejects a direct write that fails and keeps nothing of it', async () => {
    const database = table();
    database.open = false;
    const queue = createQueue({ insert: database.insert, spool, onSpoolFault: noFault });
    await expect(queue.write(record())).rejects.toThrow('no database');
    expect(queue.waiting).toBe(0);
    expect(spool.kept()).toEqual([]);
  });
  it('spools what the database does not take and writes it when it answers again', async () => {
    const database = table();
    database.open = false;
    const queue = createQueue({ insert: database.insert, spool, onSpoolFault: noFault });
    const one = record();
    queue.writeLater(one);
    await eventually(() => expect(spool.kept()).toEqual([one]));
    database.open = true;
    await eventually(() => expect(queue.waiting).toBe(0));
    expect(database.rows.get(one.id)).toBe(1);
    expect(spool.kept()).toEqual([]);
  });
  it('takes up what an earlier process left', async () => {
    const database = table();
    const left = Array.from({ length: 150 }, record);
    for (const one of left) spool.add(one);
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
  it('leaves the rest in the spool when its time to drain is over', async () => {
    const never = new Promise<void>(() => undefined);
    const one = record();
    spool.add(one);
    const queue = createQueue({ insert: () => never, spool, onSpoolFault: noFault });
    await queue.drain(20);
    expect(spool.kept()).toEqual([one]);
  });
  it('tells of a disk that refuses, and goes on trying from memory', async () => {
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
    const one = record();
    queue.writeLater(one);
    await eventually(() => expect(faults).toHaveLength(1));
    database.open = true;
    await eventually(() => expect(database.rows.get(one.id)).toBe(1));
  });
});
