import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { UsageRecord } from '@gateway/domain/usage/shape';
import type { Refused } from '../queue.ts';
import type { Line, Spool } from '../spool.ts';

/** A database that answers while `open` is true, and counts its records by id. */
export function table() {
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

export const noFault = (fault: unknown): void => {
  throw fault;
};

/** A disk that accepts nothing while it is full. */
export function refusing(behind: Spool<UsageRecord>) {
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
export const linesOf = (directory: string): unknown[] =>
  readdirSync(directory)
    .flatMap((name) => readFileSync(join(directory, name), 'utf8').split('\n'))
    .filter((line) => line !== '')
    .map((line) => (JSON.parse(line) as UsageRecord).id);
