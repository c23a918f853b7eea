import type { Audit } from '../faults/audit.ts';
import { isClean } from '../faults/suite.ts';
import type { Sample } from './sample.ts';

/** A quantity in the first and in the second half of the day. */
export interface Halves {
  readonly first: number;
  readonly second: number;
}

export interface TableState {
  readonly table: string;
  readonly liveRows: number;
  readonly deadRows: number;
  /** How often autovacuum has been there. */
  readonly vacuums: number;
}

export interface LongReport extends Audit {
  readonly seed: number;
  readonly minutes: number;
  readonly requests: number;
  readonly statuses: Readonly<Record<string, number>>;
  /** What ran beside the calls, and how often it failed. */
  readonly activities: Readonly<Record<string, { readonly runs: number; readonly failures: number }>>;
  /** Each process in the quiet hour at noon and in the last one, before and after the same load. */
  readonly processes: Readonly<Record<string, { readonly noon: Sample; readonly midnight: Sample }>>;
  /** Milliseconds from a revocation to the end of the stream of its subject, medians. */
  readonly revocationMs: Halves;
  /** Milliseconds between two exports of the metrics, medians: the gateway sends them by a timer. */
  readonly metricsIntervalMs: Halves;
  readonly tables: readonly TableState[];
  /** Decisions that the collector of the log export did not get. */
  readonly notExported: number;
}

/** Growth between noon and midnight that is treated as noise. */
const MEMORY_RATIO = 1.2;
const MEMORY_MB = 16;
const HANDLES = 8;
/** A timer that drifts shows as a longer interval; a busy machine makes a single one late, not the median. */
const DRIFT_RATIO = 1.25;
const DRIFT_MS = 250;
/** Autovacuum comes at 50 dead rows and a fifth of the table; twice that means it does not come. */
const DEAD_ROWS = 100;
const DEAD_SHARE = 0.4;

const drifts = ({ first, second }: Halves): boolean => second > first * DRIFT_RATIO + DRIFT_MS;

export function isVacuumed({ liveRows, deadRows }: TableState): boolean {
  return deadRows <= DEAD_ROWS + liveRows * DEAD_SHARE;
}

/** One sentence for each thing that is not as it must be; empty of a stable day. */
export function faultsOf(report: LongReport): readonly string[] {
  const { processes, activities, revocationMs, metricsIntervalMs, tables, notExported } = report;
  const faults: string[] = [];
  if (!isClean(report))
    faults.push('The engine, the callers and the log disagree: see unlogged, lostUsage, gaps and crossed.');
  for (const [name, { noon, midnight }] of Object.entries(processes)) {
    if (midnight.memoryMB > noon.memoryMB * MEMORY_RATIO + MEMORY_MB) faults.push(`The memory of the ${name} grew.`);
    if (midnight.handles > noon.handles + HANDLES) faults.push(`The ${name} keeps handles open.`);
    if (midnight.threads > noon.threads + HANDLES) faults.push(`The ${name} keeps threads.`);
  }
  for (const [name, { runs, failures }] of Object.entries(activities)) {
    if (runs === 0) faults.push(`No ${name} was run.`);
    if (failures > 0) faults.push(`${failures} of ${runs} ${name} failed.`);
  }
  if (drifts(revocationMs)) faults.push('A revocation took longer in the second half of the day.');
  if (drifts(metricsIntervalMs)) faults.push('The timer of the metrics drifts.');
  for (const one of tables) if (!isVacuumed(one)) faults.push(`The table ${one.table} was not vacuumed.`);
  if (notExported > 0) faults.push(`${notExported} decisions did not reach the collector.`);
  return faults;
}
