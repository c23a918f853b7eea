import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ownFolder, replaceFile } from '../files/replace.ts';

/** Where a served session is found, and what opens it. */
export interface ServedSession {
  readonly url: string;
  readonly port: number;
  readonly session: string;
  readonly token: string;
}

function pathOf(home: string, port: number): string {
  return join(home, '.gateway', 'serve', `${port}.json`);
}

/** Writes `~/.gateway/serve/<port>.json`, which only the user can read. @returns its path. */
export async function keepToken(home: string, served: ServedSession): Promise<string> {
  const path = pathOf(home, served.port);
  await ownFolder(join(home, '.gateway', 'serve'));
  await replaceFile(path, `${JSON.stringify({ ...served, pid: process.pid })}\n`);
  return path;
}

export async function forgetToken(path: string): Promise<void> {
  await rm(path, { force: true });
}

/** The token of the instance on a port; null if none is stored. */
export async function tokenOf(home: string, port: number): Promise<string | null> {
  try {
    const { token } = JSON.parse(await readFile(pathOf(home, port), 'utf8')) as Partial<ServedSession>;
    return typeof token === 'string' ? token : null;
  } catch {
    return null;
  }
}
