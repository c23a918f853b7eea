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
import { noFault, refusing, table } from './testing/queue-parts.ts';

let folder: string;
let spool: Spool<UsageRecord>;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'queue-'));
  spool = openSpool(folder, USAGE_RECORD, noFault);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('the disk of a queue', () => {
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
});
