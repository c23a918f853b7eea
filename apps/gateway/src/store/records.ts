import { randomFillSync } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Approval,
  type Decision,
  LONGEST_SESSION,
  type Permission,
  type Refusal,
  statusOf,
} from '@gateway/contract';
import type { DatabaseAddress } from '@gateway/database';
import { createDecisionLog, type DecisionLog } from '@gateway/database/audit-log/decision-log';
import { createDetectionLog, type DetectionLog } from '@gateway/database/audit-log/decision-statement';
import type { SeenEnd, SeenEndStore } from '@gateway/database/audit-log/earlier-state';
import type { RelayFacts } from '@gateway/domain/call/facts';
import { createUsageLog } from '@gateway/domain/usage/gateway';
import type { UsageRecord } from '@gateway/domain/usage/shape';
import type { Signer } from '@gateway/ledger';
import { maskText } from '@gateway/secrets';
import { v7 } from 'uuid';
import { credentialOf, type Identified } from '../auth/identify.ts';
import type { DecisionsPort } from '../auth/ports.ts';
import { subjectOf } from '../auth/subject.ts';
import type { Head } from '../http/head.ts';
import { createRecurringFault, type Report } from '../process/report.ts';
import { DATABASE_BUDGET, type DatabaseWatch } from './database.ts';
import type { DetectionGroup } from './detections.ts';
import { createQueue, type Queue, type Refused } from './queue.ts';
import type { Line } from './spool.ts';
import type { Spools } from './state-directory.ts';

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

/** Bytes of one identifier, and the number drawn in one call: requesting random bytes costs far more than using them. */
const SIZE = 16;
const pool = Buffer.alloc(256 * SIZE);
let used = pool.length;

function random(): Uint8Array {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += SIZE;
  return pool.subarray(used - SIZE, used);
}

/** A new decision's identifier: a UUID of version 7, of this instant. */
export function newDecisionId(): string {
  return v7({ random: random() });
}

/** Longest text from a request in the log; endpoint names and request identifiers are shorter. */
export const LONGEST_TEXT = 256;

/** The same for a caller without a proof, who could otherwise fill the log (log-13). */
const LONGEST_ANONYMOUS = 64;

/** The request of a decision: the facts known by then, and its subject. */
interface Judged {
  readonly head: Head;
  readonly sourceAddress: string | null;
  readonly identified: Identified | null;
  readonly facts: RelayFacts | null;
  readonly permission: Permission;
  readonly resource: string;
  /** As its caller named it. */
  readonly session: string | null;
  /** The reason of an approval. */
  readonly granted: Approval;
}

/**
 * The entry of an approval or of a refusal (log-3). It never contains the request's or the answer's body.
 * @param now milliseconds since the epoch.
 * @param detail of the entry, beyond its reason.
 */
export function decisionFor(
  { head, sourceAddress, identified, facts, permission, resource, session, granted }: Judged,
  refused: Refusal | null,
  now: number,
  detail: string | null = refused?.details['detail'] ?? null,
): Decision {
  const subject = identified === null || facts === null ? null : subjectOf(identified, facts);
  const longest = (known: number): number => (subject === null && refused !== null ? LONGEST_ANONYMOUS : known);
  return {
    id: newDecisionId(),
    at: new Date(now).toISOString(),
    component: 'gateway',
    subject,
    credential: identified?.credential ?? credentialOf(head),
    keyId: facts?.account?.key?.id ?? null,
    permission,
    resource,
    // A longer one would not fit into the log's index, and a request without an entry would bypass the log.
    session: session === null ? null : recordable(session, longest(LONGEST_SESSION)),
    outcome: refused === null ? 'granted' : 'refused',
    reason: refused === null ? granted : refused.code,
    status: refused === null ? 200 : statusOf(refused),
    roles: facts?.roles ?? [],
    policyRevision: facts?.policy?.number ?? null,
    detail,
    requestId: head.requestId === null ? null : recordable(head.requestId, longest(LONGEST_TEXT)),
    sourceAddress,
  };
}

/** Shorter texts contain no secret; identifiers of requests and sessions are mostly UUIDs, which are no secrets either. */
const SHORTEST = 8;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * A request's text in the form for a record: possible secrets masked (relay-36), then cut.
 * @param longest UTF-16 code units, which bound the bytes of an index entry; a surrogate pair is not split.
 */
export function recordable(text: string, longest: number): string {
  const kept = text.length < SHORTEST || UUID.test(text) ? text : maskText(text);
  return kept.length <= longest ? kept : kept.slice(0, longest).replace(/[\ud800-\udbff]$/, '');
}
