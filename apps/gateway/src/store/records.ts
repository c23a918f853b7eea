import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseAddress } from '@gateway/database';
import {
  createDecisionLog,
  createDetectionLog,
  createUsageLog,
  type DecisionLog,
  type DetectionLog,
  type SeenEnd,
  type SeenEndStore,
  type UsageRecord,
} from '@gateway/database/gateway';
import type { Signer } from '@gateway/ledger';
import type { DecisionsPort } from '../auth/ports.ts';
import { createRecurringFault } from '../process/recurring-fault.ts';
import type { Report } from '../process/report.ts';
import { DATABASE_BUDGET } from './budget.ts';
import type { DetectionGroup } from './detections.ts';
import { createQueue, type Queue, type Refused } from './spool/queue.ts';
import type { Line } from './spool/spool.ts';
import type { Spools } from './state-directory.ts';
import type { DatabaseWatch } from './watch.ts';

/** Milliseconds for the queues to empty when the process ends; the remaining usage records stay in the spool. */
const FLUSH = 5000;

/** The records of calls. */
export interface Records {
  readonly decisions: DecisionsPort;
  readonly usage: Queue<UsageRecord>;
  readonly detections: Queue<DetectionGroup>;
  /** Ends it: into the database what it takes, onto the disk what it does not. */
  settle(): Promise<void>;
}

export interface RecordsParts {
  readonly address: DatabaseAddress;
  readonly signer: Signer;
  /** `GATEWAY_STATE_DIR`: the end of the log is kept there. */
  readonly stateDirectory: string;
  readonly spools: Spools;
  readonly watch: DatabaseWatch;
  readonly report: Report;
  /** Sees how many decisions or usage records share each transaction. */
  readonly onBatch: (operation: 'decision' | 'usage', size: number) => void;
}

/** The decision log, which reports the faults that an operator must know. */
function openDecisionLog({ address, signer, stateDirectory, watch, report, onBatch }: RecordsParts): DecisionLog {
  const seenEnd = keepSeenEnd(stateDirectory, report);
  const log = createDecisionLog({
    address,
    signer,
    seenEnd,
    onBatch: (size) => onBatch('decision', size),
    budgetMs: DATABASE_BUDGET,
    onOutcome: (error) => watch.outcome('decisions', error),
    onRefusedEntry: ({ id }, error) =>
      report(`The database refused the decision entry ${id}: ${String(error)}`, 'error'),
    onForeignEnd: (sentence) => report(`DATABASE_URL: ${sentence}`, 'error'),
  });
  return {
    ...log,
    close() {
      log.close();
      seenEnd.close();
    },
  };
}

/** Ends it. */
async function settleDecisions(log: DecisionLog, report: Report): Promise<void> {
  const unwritten = await log.drain(FLUSH);
  if (unwritten > 0)
    report(`Refusals that could not be recorded in the decision log before the end: ${unwritten}.`, 'error');
}

/** What the disk refuses of the records that wait in `GATEWAY_STATE_DIR`. */
const unkept = (what: string, report: Report) =>
  createRecurringFault(`GATEWAY_STATE_DIR: ${what} could not be kept on disk`, report);

/** Each group separately: a faulty group must not block the others. @throws where none is written */
async function detectionsRefused(log: DetectionLog, lines: readonly Line[]): Promise<Refused> {
  const refused = new Map<Line, Error>();
  const insert = async (line: Line): Promise<void> => {
    try {
      await log.insert((JSON.parse(line.text) as DetectionGroup).detections);
    } catch (error) {
      refused.set(line, error as Error);
    }
  };
  await Promise.all(lines.map(insert));
  const [first] = refused.values();
  if (refused.size === lines.length && first !== undefined) throw first;
  return refused;
}

export function openRecords(parts: RecordsParts): Records {
  const { address, spools, watch, report, onBatch } = parts;
  const decisions = openDecisionLog(parts);
  const usageLog = createUsageLog({
    address,
    budgetMs: DATABASE_BUDGET,
    onBatch: (size) => onBatch('usage', size),
  });
  const unkeptUsage = unkept('a usage record', report);
  const usage = createQueue({
    insert: (lines) => watch.observe('usage', usageLog.insert(lines)),
    spool: spools.usage,
    durability: usageLog.durability,
    onSpoolFault: (error) => unkeptUsage.report(error),
  });
  const detectionLog = createDetectionLog({ address, budgetMs: DATABASE_BUDGET });
  const unkeptDetection = unkept('a detection', report);
  const detections = createQueue({
    insert: (lines) => watch.observe('detections', detectionsRefused(detectionLog, lines)),
    spool: spools.detections,
    onSpoolFault: (error) => unkeptDetection.report(error),
  });
  return {
    decisions,
    usage,
    detections,
    async settle() {
      await Promise.all([usage.drain(FLUSH), detections.drain(FLUSH), settleDecisions(decisions, report)]);
      usage.leave(await usageLog.close(FLUSH));
      spools.usage.journal.close();
      detectionLog.close();
      spools.detections.journal.close();
      for (const fault of [unkeptUsage, unkeptDetection]) fault.settle();
      decisions.close();
    },
  };
}

/** Milliseconds between two writes: after a crash the last second is not known. */
const EVERY_MS = 1000;

/** Null where there is no file, or one that is not ours. */
function read(file: string): SeenEnd | null {
  try {
    const { instance, sequence, digest } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
    if (!/^\d{1,18}$/.test(sequence ?? '') || !/^[0-9a-f]{64}$/.test(digest ?? '')) return null;
    return { instance: instance ?? '', sequence: BigInt(sequence ?? 0), digest: digest ?? '' };
  } catch {
    return null;
  }
}

/**
 * The end of the decision log that this gateway saw committed, in `log-end.json` of its state directory. A database that went back
 * while the gateway did not run is noticed with the first entry.
 */
function keepSeenEnd(directory: string, report: Report): SeenEndStore & { readonly close: () => void } {
  const file = join(directory, 'log-end.json');
  const writing = `${file}.${process.pid}.new`; // gateways of one machine may share the directory
  const fault = createRecurringFault(`GATEWAY_STATE_DIR: the end of the decision log was not kept in ${file}`, report);
  let last: SeenEnd | null = null;
  let timer: NodeJS.Timeout | null = null;

  function write(): void {
    timer = null;
    if (last === null) return;
    const { instance, sequence, digest } = last;
    last = null;
    try {
      writeFileSync(writing, `${JSON.stringify({ instance, sequence: String(sequence), digest })}\n`);
      renameSync(writing, file);
    } catch (error) {
      fault.report(error);
    }
  }

  return {
    read: () => read(file),
    keep(end) {
      last = end;
      timer ??= setTimeout(write, EVERY_MS).unref();
    },
    close() {
      if (timer !== null) clearTimeout(timer);
      write();
      fault.settle();
    },
  };
}
