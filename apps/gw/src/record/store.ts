import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '@gateway/contract/error-code';

/** A record in the user's folder. */
export interface StoredRecord {
  readonly session: string;
  readonly path: string;
  /** Milliseconds since 1970 of the last change. */
  readonly changedAt: number;
}

/** Identifiers are UUIDs: a word from the command line or a file of somebody else names no other path. */
const FILE = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.jsonl$/;

export function recordFolder(home: string): string {
  return join(home, '.gateway', 'record');
}

export function recordPath(home: string, session: string): string {
  return join(recordFolder(home), `${session}.jsonl`);
}

export function isSession(word: string): boolean {
  return FILE.test(`${word}.jsonl`);
}

/** All records, the latest change first. */
export async function listRecords(home: string): Promise<readonly StoredRecord[]> {
  const folder = recordFolder(home);
  const names = await readdir(folder).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  });
  const found = names.map(async (name): Promise<StoredRecord | null> => {
    const session = FILE.exec(name)?.[1];
    if (session === undefined) return null;
    const path = join(folder, name);
    const stats = await stat(path).catch(() => null);
    return stats?.isFile() === true ? { session, path, changedAt: stats.mtimeMs } : null;
  });
  const records = (await Promise.all(found)).filter((each) => each !== null);
  return records.sort((one, other) => other.changedAt - one.changedAt || (one.session < other.session ? 1 : -1));
}
