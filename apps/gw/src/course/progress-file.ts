import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errorCode } from '@gateway/contract/error-code';
import { CommandFailed, reasonOf } from '../process/fault.ts';
import { NO_PROGRESS, PROGRESS, type Progress } from './progress.ts';

/** Where the progress in a project's courses is stored: the user's own directory, never the project. */
export function progressPath(homeDirectory: string | null, project: string): string | null {
  const name = createHash('sha256').update(project).digest('hex').slice(0, 32);
  return homeDirectory === null ? null : join(homeDirectory, '.gateway', 'courses', `${name}.json`);
}

/** Progress that was never written is none. Throws `CommandFailed` where the file is damaged: it is not overwritten. */
export async function readProgress(path: string | null): Promise<Progress> {
  if (path === null) return NO_PROGRESS;
  try {
    const progress = PROGRESS.valueOf(JSON.parse(await readFile(path, 'utf8')));
    if (progress !== null) return progress;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return NO_PROGRESS;
  }
  throw new CommandFailed(`${path} cannot be read as the progress of a course. Repair it, or move it away.`);
}

/** Replaces the file as a whole, readable by its owner alone. */
export async function writeProgress(path: string | null, progress: Progress): Promise<void> {
  if (path === null) throw new CommandFailed('The progress cannot be kept: you have no home directory. Set HOME.');
  const aside = `${path}.${process.pid}`;
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFile(aside, `${JSON.stringify(progress, null, 2)}\n`, { mode: 0o600 });
    await rename(aside, path);
  } catch (error) {
    await rm(aside, { force: true }).catch(() => undefined);
    throw new CommandFailed(`${path} cannot be written: ${reasonOf(error)}`);
  }
}
