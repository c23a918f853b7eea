import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { usageLine } from '@gateway/domain/usage/gateway';
import type { UsageRecord } from '@gateway/domain/usage/shape';
import { aUsageRecord } from '@gateway/domain/usage/testing/usage-record';
import { v7 } from 'uuid';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openJournal, readLeftJournals } from './spool.ts';
import { USAGE_RECORD } from './state-directory.ts';

const textOf = (record: UsageRecord): string => usageLine(record).text;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'journal-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Ids in all files, as another process would read them. */
const ids = (): unknown[] =>
  readdirSync(folder)
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'))
    .filter((line) => line !== '')
    .map((line) => (JSON.parse(line) as UsageRecord).id);

describe('a journal', () => {
  it('shows appended records to a reader, even without an end mark', () => {
    const journal = openJournal(folder);
    const [one, two] = [aUsageRecord(), aUsageRecord()];
    journal.append([textOf(one)]);
    journal.append([textOf(two)]);
    expect(ids()).toEqual([one.id, two.id]);
    journal.close();
  });
  it('leaves no file once all its records are settled', () => {
    const journal = openJournal(folder);
    journal.append([textOf(aUsageRecord())])();
    journal.close();
    expect(readdirSync(folder)).toEqual([]);
  });
  it('keeps its file where something is not', () => {
    const journal = openJournal(folder);
    const one = aUsageRecord();
    journal.append([textOf(one)]);
    journal.close();
    expect(ids()).toEqual([one.id]);
  });
  it('begins again when it is empty and large', () => {
    const journal = openJournal(folder);
    for (let round = 0; round < 1000; round += 1) {
      journal.append([textOf(aUsageRecord())])();
    }
    const [name] = readdirSync(folder);
    expect(statSync(join(folder, name!)).size).toBeLessThan(70_000);
    const one = aUsageRecord();
    journal.append([textOf(one)]);
    expect(ids()).toContain(one.id);
    journal.close();
  });
});

describe('a journal that is never empty', () => {
  const sizes = (): number[] => readdirSync(folder).map((name) => statSync(join(folder, name)).size);
  const names = (): string[] => readdirSync(folder);
  /** Fills a journal with records, each settled only after the next one arrived. */
  function flowing(records: number) {
    const journal = openJournal(folder);
    let before = journal.append([textOf(aUsageRecord())]);
    for (let one = 0; one < records; one += 1) {
      const next = journal.append([textOf(aUsageRecord())]);
      before();
      before = next;
    }
    return { journal, last: before };
  }

  it('needs no more space than one that is', () => {
    const { journal, last } = flowing(10_000); // three megabytes
    expect(names().length).toBeLessThanOrEqual(2);
    expect(Math.max(...sizes())).toBeLessThan(1.1 * 1024 * 1024);
    last();
    journal.close();
    expect(names()).toEqual([]);
  });
  it('keeps a file as long as one record in it needs it', () => {
    const journal = openJournal(folder);
    const kept = aUsageRecord();
    const settle = journal.append([textOf(kept)]);
    for (let one = 0; one < 10_000; one += 1) journal.append([textOf(aUsageRecord())])();
    expect(ids()).toContain(kept.id);
    settle();
    expect(ids()).not.toContain(kept.id);
    journal.close();
  });
  it('leaves every file that still has records to the next process', () => {
    const { journal } = flowing(10_000);
    const kept = aUsageRecord();
    journal.append([textOf(kept)]);
    journal.close();
    expect(ids()).toContain(kept.id);
  });
  it('touches no file any more once it is closed', () => {
    const { journal, last } = flowing(5000);
    journal.close();
    const before = sizes();
    last();
    expect(sizes()).toEqual(before);
    expect(() => journal.append([textOf(aUsageRecord())])).toThrow('closed');
  });
});

describe('journals of earlier processes', () => {
  const gone = (): number => spawnSync(process.execPath, ['-e', '0']).pid;
  const put = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  /** The records found in them, by id, and a function that removes the finished files. */
  function look() {
    const found: unknown[] = [];
    const aside: string[] = [];
    const adopt = (value: unknown): boolean => {
      const { success } = USAGE_RECORD.shape.safeParse(value);
      if (success) found.push((value as UsageRecord).id);
      return success;
    };
    return { found, aside, forget: readLeftJournals(folder, adopt, (path) => aside.push(path)) };
  }

  it('are read except for a truncated line, and removed on request', () => {
    const one = aUsageRecord();
    put(`${hostname()}.${gone()}.${v7()}.journal`, `${JSON.stringify(one)}\n{"id":"cut`);
    const { found, aside, forget } = look();
    expect(found).toEqual([one.id]);
    expect(readdirSync(folder)).toHaveLength(1);
    forget();
    expect([readdirSync(folder), aside]).toEqual([[], []]);
  });
  it('are set aside and reported where a complete line is no record of this version', () => {
    const one = aUsageRecord();
    const path = put(
      `${hostname()}.${gone()}.${v7()}.journal`,
      `${JSON.stringify(one)}\n{"id":"of another version"}\n`,
    );
    const { found, aside, forget } = look();
    expect([found, aside]).toEqual([[one.id], []]);
    forget();
    forget();
    expect(aside).toEqual([`${path}.unreadable`]);
    expect(look().found).toEqual([]);
  });
  it('of a process that lives, or of another machine, are read and left', () => {
    const [one, two] = [aUsageRecord(), aUsageRecord()];
    put(`${hostname()}.${process.ppid}.${v7()}.journal`, `${JSON.stringify(one)}\n`);
    const other = put(`elsewhere.1.${v7()}.journal`, `${JSON.stringify(two)}\n`);
    const { found, forget } = look();
    forget();
    expect(found).toEqual(expect.arrayContaining([one.id, two.id]));
    expect(readdirSync(folder)).toHaveLength(2);
    const old = new Date(Date.now() - 31 * 86_400_000);
    utimesSync(other, old, old);
    look().forget();
    expect(readdirSync(folder)).toHaveLength(1);
  });
  it('of a process that ends while they are read are left, because it may have written more', async () => {
    // A shell reaps its child, so that its end shows immediately.
    const shell = spawn('sh', ['-c', 'sleep 1000 & echo $!; wait'], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [one, two] = [aUsageRecord(), aUsageRecord()];
    const [line] = (await once(shell.stdout, 'data')) as [Buffer];
    const pid = Number(line.toString());
    const path = put(`${hostname()}.${pid}.${v7()}.journal`, `${JSON.stringify(one)}\n`);
    const adopt = (): boolean => {
      writeFileSync(path, `${JSON.stringify(two)}\n`, { flag: 'a' });
      process.kill(pid, 'SIGKILL');
      spawnSync('sh', ['-c', `while kill -0 ${pid} 2>/dev/null; do :; done`]);
      return true;
    };
    readLeftJournals(folder, adopt, () => {})();
    expect(look().found).toEqual([one.id, two.id]);
  });
  it('exclude files of this process, and files of another name', () => {
    const journal = openJournal(folder);
    journal.append([textOf(aUsageRecord())]);
    renameSync(put('x', 'y'), join(folder, 'nonsense.journal'));
    const { found, forget } = look();
    forget();
    expect(found).toEqual([]);
    expect(readdirSync(folder)).toHaveLength(2);
    journal.close();
  });
  it('of an earlier process with the same number, as in a container, are taken over', () => {
    put(`${hostname()}.${process.pid}.${v7()}.journal`, `${JSON.stringify(aUsageRecord())}\n`);
    look().forget();
    expect(readdirSync(folder)).toEqual([]);
  });
});
