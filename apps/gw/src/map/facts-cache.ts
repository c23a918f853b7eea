import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { VERSION } from '../process/product.ts';
import type { FileFacts } from './facts/facts.ts';
import { LANGUAGES } from './languages/index.ts';
import type { SourceFile } from './source-files.ts';

/** Results of earlier runs, stored below the user's `.gateway/cache`, never in the project. */
export interface FactsCache {
  /** Null where the file was not read yet, changed since, or was read without the uses that are wanted now. */
  get(file: SourceFile, withUses: boolean): FileFacts | null;
}

type Kept = readonly [bytes: number, modifiedMs: number, facts: FileFacts];

/** A file that changes twice within the resolution of its time stamp looks unchanged; what is this young is read again. */
const RACY_MS = 2000;
const FORMAT = createHash('sha256')
  .update(JSON.stringify([VERSION, 4, LANGUAGES.map(({ id, query }) => [id, query])]))
  .digest('hex');

/** The cache file of a project; null where the user has no home directory. */
export function cachePath(homeDirectory: string | null, project: string): string | null {
  const name = createHash('sha256').update(project).digest('hex').slice(0, 32);
  return homeDirectory === null ? null : join(homeDirectory, '.gateway', 'cache', 'map', `${name}.json`);
}

/** An absent, damaged or older cache is an empty one: it costs time, never correctness. */
export async function readCache(path: string | null): Promise<FactsCache> {
  let files: Readonly<Record<string, Kept>> = {};
  let writtenMs = 0;
  try {
    const kept = JSON.parse(await readFile(path ?? '', 'utf8')) as {
      format: string;
      writtenMs: number;
      files: Readonly<Record<string, Kept>>;
    };
    if (kept.format === FORMAT) ({ files, writtenMs } = kept);
  } catch {}
  return {
    get({ path: name, bytes, modifiedMs }, withUses) {
      const kept = Object.hasOwn(files, name) ? files[name] : undefined;
      if (kept === undefined || kept[0] !== bytes || kept[1] !== modifiedMs) return null;
      return modifiedMs > writtenMs - RACY_MS || (withUses && !kept[2].hasUses) ? null : kept[2];
    },
  };
}

/** Replaces the whole cache. If it cannot be written, the old one stays. */
export async function writeCache(
  path: string | null,
  nowMs: number,
  files: readonly SourceFile[],
  facts: ReadonlyMap<string, FileFacts>,
): Promise<void> {
  if (path === null) return;
  const kept: Record<string, Kept> = {};
  for (const { path: name, bytes, modifiedMs } of files) {
    const known = facts.get(name);
    if (known !== undefined) kept[name] = [bytes, modifiedMs, known];
  }
  const aside = `${path}.${process.pid}`;
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFile(aside, JSON.stringify({ format: FORMAT, writtenMs: nowMs, files: kept }), { mode: 0o600 });
    await rename(aside, path);
  } catch {
    await rm(aside, { force: true }).catch(() => undefined);
  }
}
