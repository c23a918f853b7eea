import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { extractFacts } from './extract.ts';
import type { FileFacts } from './facts/facts.ts';
import { languageOf } from './languages/index.ts';

/** Below this many files a thread costs more than it saves. */
const MIN_FILES_PER_THREAD = 150;
const MAX_THREADS = 8;
const PROGRAM = new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './map-worker.js', import.meta.url);

export type Read = readonly [path: string, facts: FileFacts];

/** Reads source files, on several threads if there are many. A file deleted meanwhile is left out. */
export async function readFacts(root: string, paths: readonly string[], withUses: boolean): Promise<readonly Read[]> {
  const threads = Math.min(availableParallelism(), MAX_THREADS, Math.floor(paths.length / MIN_FILES_PER_THREAD));
  if (threads < 2) return readEach(root, paths, withUses);
  // Dealt out in turn: files of one directory are alike in size and language.
  const shares = Array.from({ length: threads }, (_, share) => paths.filter((_path, at) => at % threads === share));
  return (await Promise.all(shares.map((share) => inThread(root, share, withUses)))).flat();
}

export async function readEach(root: string, paths: readonly string[], withUses: boolean): Promise<readonly Read[]> {
  const read: Read[] = [];
  for (const path of paths) {
    const language = languageOf(path);
    const source = fileText(join(root, path));
    if (language !== undefined && source !== null) read.push([path, await extractFacts(language, source, withUses)]);
  }
  return read;
}

function inThread(root: string, paths: readonly string[], withUses: boolean): Promise<readonly Read[]> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(PROGRAM, { workerData: { root, paths, withUses } });
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`A thread that reads source files ended with ${code}.`)));
  });
}

/** At once: a thread has nothing else to do, and waiting for each file costs more than reading it. */
function fileText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null; // deleted meanwhile
  }
}
