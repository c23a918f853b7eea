import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { openDocumentation } from '@gateway/documentation';

export interface Speed {
  /** Milliseconds of a whole answer, excerpts and JSON included. */
  readonly p50ms: number;
  readonly p95ms: number;
  /** Milliseconds from a folder to the first answer, the best of several starts. */
  readonly indexMs: number;
  /** Megabytes that an index of the corpus adds to the process, the corpus itself included. */
  readonly memoryMB: number;
}

const STARTS = 3;
const ROUNDS = 20;

/** Measures the service as the gateway runs it, over an archive with only the corpus. */
export async function speedOf(corpus: string, questions: readonly string[]): Promise<Speed> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-search-'));
  writeFileSync(join(folder, 'archive.json'), '{"version":"1.0.0","path":"/v/1.0.0"}');
  writeFileSync(join(folder, 'llms-full.txt'), corpus);
  const before = memory();
  const starts: number[] = [];
  let service = await start(folder, starts);
  const memoryMB = (memory() - before) / 1e6;
  while (starts.length < STARTS) {
    service.close();
    service = await start(folder, starts);
  }
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const question of questions) {
      const from = performance.now();
      await ask(service, question);
      times.push(performance.now() - from);
    }
  }
  service.close();
  rmSync(folder, { recursive: true });
  times.sort((one, other) => one - other);
  const at = (part: number): number => times[Math.floor(times.length * part)] ?? 0;
  return { p50ms: at(0.5), p95ms: at(0.95), indexMs: Math.min(...starts), memoryMB };
}

type Service = Exclude<Awaited<ReturnType<typeof openDocumentation>>, { readonly fault: string }>;

async function start(folder: string, times: number[]): Promise<Service> {
  const from = performance.now();
  const service = await openDocumentation(folder, (sentence) => process.stderr.write(`${sentence}\n`));
  if ('fault' in service) throw new Error(service.fault);
  await ask(service, 'documentation');
  times.push(performance.now() - from);
  return service;
}

async function ask({ answer }: Service, question: string): Promise<void> {
  const target = `/v/_search?q=${encodeURIComponent(question)}`;
  await answer({ method: 'GET', target, headers: {}, body: () => Promise.resolve(Buffer.alloc(0)) });
}

function memory(): number {
  setFlagsFromString('--expose_gc');
  (runInNewContext('gc') as () => void)();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
