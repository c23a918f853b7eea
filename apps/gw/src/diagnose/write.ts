import { randomUUID } from 'node:crypto';
import { link, lstat, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errorCode } from '@gateway/contract/error-code';
import { CommandFailed, reasonOf } from '../process/fault.ts';

const ELSEWHERE = 'Name another place with --output FILE.';

/**
 * Writes a file that only its owner can read, whole or not at all: what reads it meanwhile sees no half of it.
 * @param replace whether a file that is there may be replaced.
 * @param name the path as the person wrote it, for faults.
 * @throws CommandFailed when it cannot be written, or is there already.
 */
export async function writeOwnFile(path: string, text: string, replace: boolean, name = path): Promise<void> {
  const there = await lstat(path).catch(() => null);
  if (there !== null && !there.isFile())
    throw new CommandFailed(`${name} is not a plain file, and is not replaced. ${ELSEWHERE}`);
  if (there !== null && !replace) throw new CommandFailed(`${name} is there already. Add --force to replace it.`);
  const aside = join(dirname(path), `.gw-${randomUUID()}`);
  try {
    const file = await open(aside, 'wx', 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    if (replace) await rename(aside, path);
    else await placeNew(aside, path, name);
  } catch (error) {
    await rm(aside, { force: true }).catch(() => undefined); // the error that prevented the write prevents its removal
    throw error instanceof CommandFailed
      ? error
      : new CommandFailed(`${name} cannot be written: ${reasonOf(error)} ${ELSEWHERE}`);
  }
}

/** Renames the file unless another one has the name meanwhile. */
async function placeNew(aside: string, path: string, name: string): Promise<void> {
  try {
    await link(aside, path);
  } catch (error) {
    if (errorCode(error) === 'EEXIST') throw new CommandFailed(`${name} is there already. Add --force to replace it.`);
    await rename(aside, path); // a file system without links: a file created since the check is replaced
    return;
  }
  await rm(aside);
}
