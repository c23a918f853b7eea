import { open } from 'node:fs/promises';
import type { Context } from '../../process/context.ts';
import { WrongUsage } from '../../process/fault.ts';
import { findProject } from '../../project/project.ts';
import { readEntry } from '../../record/entry.ts';
import type { StoredRecord } from '../../record/store.ts';

/** The record that changed last of those whose session ran in this project. */
export async function latestOfProject(
  { environment }: Context,
  records: readonly StoredRecord[],
): Promise<StoredRecord> {
  const { workingDirectory, userId } = environment;
  if (workingDirectory !== null) {
    const { directory } = await findProject(workingDirectory, userId);
    for (const record of records) if ((await projectOf(record)) === directory) return record;
  }
  throw new WrongUsage('There is no record of a session in this repository. Name a session: gw replay SESSION.');
}

/** Where a session ran, as its first entry says. Null where that entry was purged. */
async function projectOf({ path }: StoredRecord): Promise<string | null> {
  const file = await open(path, 'r');
  try {
    for await (const line of file.readLines()) {
      const project = readEntry(line)?.['project'];
      return typeof project === 'string' ? project : null;
    }
    return null;
  } finally {
    await file.close();
  }
}
