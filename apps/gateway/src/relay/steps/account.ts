import type { UsageRecord } from '@gateway/database/gateway';
import type { Queue } from '../../spool/queue.ts';
import type { Clock, Report, Tokenizer } from '../ports.ts';
import type { Counts } from '../usage/counts.ts';
import type { Meter } from '../usage/meter.ts';
import type { Recorded } from './record.ts';

/** Where usage records go, and what an estimate needs. */
export interface AccountingPorts {
  readonly usage: Pick<Queue<UsageRecord>, 'write' | 'writeLater'>;
  readonly tokenizer: Tokenizer;
  readonly clock: Clock;
  readonly report: Report;
}

/** Accounts for one call, once: whole or interrupted, before its answer or after it (specification, Usage record). */
export interface Accounting {
  /** Writes the record before the answer is served. @returns whether it is written. */
  now(): Promise<boolean>;
  /** Hands the record of a whole answer to the queue. */
  later(): void;
  /** Hands the record of a broken answer to the queue; its counts are estimated (decisions §8). */
  interrupted(delivered: boolean): void;
}

export function account(recorded: Recorded, meter: Meter, ports: AccountingPorts): Accounting {
  const { usage, tokenizer, clock, report } = ports;

  function recordOf(counts: Counts, usageSource: UsageRecord['usageSource'], interrupted: boolean): UsageRecord {
    const { accepted, resolved, decisionId } = recorded;
    const now = clock();
    return {
      id: decisionId,
      timestamp: new Date(now),
      subject: resolved.subject,
      endpoint: resolved.endpoint.name,
      model: resolved.endpoint.modelSlug,
      modelId: resolved.endpoint.modelId,
      inputTokens: counts.input,
      outputTokens: counts.output,
      latencyMs: Math.max(0, now - accepted.at),
      usageSource,
      interrupted,
    };
  }

  /** An estimate that fails must not lose the record: then nothing is known, and the record says so. */
  async function estimated(interrupted: boolean, delivered: boolean): Promise<UsageRecord> {
    const counts = await meter.estimate(tokenizer, delivered).catch((error: unknown) => {
      report(`The tokens of a call could not be estimated: ${String(error)}`);
      return { input: 0, output: 0 };
    });
    return recordOf(counts, 'estimated', interrupted);
  }

  function queue(record: Promise<UsageRecord>): void {
    record.then(usage.writeLater, (error: unknown) => report(`A usage record was lost: ${String(error)}`));
  }

  return {
    async now() {
      const reported = meter.reported();
      const record = reported === null ? await estimated(false, true) : recordOf(reported, 'reported', false);
      try {
        await usage.write(record);
        return true;
      } catch {
        return false;
      }
    },
    later() {
      const reported = meter.reported();
      if (reported === null) queue(estimated(false, true));
      else usage.writeLater(recordOf(reported, 'reported', false));
    },
    interrupted(delivered) {
      queue(estimated(true, delivered));
    },
  };
}
