import type { UsageRecord } from '@gateway/domain/usage/shape';
import type { Clock, Report } from '../../process/report.ts';
import { TURNS } from '../../process/turns.ts';
import type { Queue } from '../../store/queue.ts';
import type { Tokenizer } from '../../store/tokenizer.ts';
import { workSeen } from '../usage/background.ts';
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

/** Accounts for one call, once: whole or interrupted, before its answer or after it (relay-25). */
export class Accounting {
  readonly #recorded: Recorded;
  readonly #meter: Meter;
  readonly #ports: AccountingPorts;

  constructor(recorded: Recorded, meter: Meter, ports: AccountingPorts) {
    this.#recorded = recorded;
    this.#meter = meter;
    this.#ports = ports;
  }

  /** Writes the record before the answer is served. @returns whether it is written. */
  async now(): Promise<boolean> {
    const rest = this.#meter.rest();
    if (rest !== null) await TURNS.run(rest);
    const metered = this.#meter.metered();
    if (metered !== null) return this.#written(this.#recordOf(metered.counts, metered.source, false));
    return this.#written(await this.#counted(this.#rough(false, true), true));
  }

  /** Queues the record of a complete answer. @param kept runs once the record is durable. */
  later(kept: () => void): void {
    this.#afterReading(() => this.#settle(false, true, kept));
  }

  /**
   * Queues the record of an answer that did not end. Its counts are estimated, unless the caller has its last event: then it is
   * complete (relay-26).
   */
  interrupted(delivered: boolean): void {
    this.#afterReading(() => this.#settle(!(delivered && this.#meter.isWhole()), delivered));
  }

  /** A long answer is read in turns. */
  #afterReading(settle: () => void): void {
    const rest = this.#meter.rest();
    if (rest === null) settle();
    else TURNS.run(rest).then(settle, settle);
  }

  #settle(interrupted: boolean, delivered: boolean, kept?: () => void): void {
    const metered = this.#meter.metered();
    const isPart = interrupted && metered?.source === 'reported' && !this.#meter.hasFailed;
    if (metered === null || isPart) this.#count(interrupted, delivered, kept);
    else this.#ports.usage.writeLater(this.#recordOf(metered.counts, metered.source, interrupted), kept);
  }

  #written(record: UsageRecord): Promise<boolean> {
    return this.#ports.usage.write(record).then(
      () => true,
      () => false,
    );
  }

  /** Counting takes time, and this process may end before it is done: until then, a rough count is stored. */
  #count(interrupted: boolean, delivered: boolean, kept?: () => void): void {
    const rough = this.#rough(interrupted, delivered);
    this.#ports.usage.writeLater(rough, kept, this.#counted(rough, delivered));
  }

  #rough(interrupted: boolean, delivered: boolean): UsageRecord {
    return this.#recordOf(this.#meter.rough(delivered), 'estimated', interrupted);
  }

  /** An estimate that fails must not lose the record. */
  async #counted(rough: UsageRecord, delivered: boolean): Promise<UsageRecord> {
    const { tokenizer, report } = this.#ports;
    try {
      return { ...rough, ...tokensOf(await this.#meter.estimate(tokenizer, delivered)) };
    } catch (error) {
      report(`The tokens of a call could not be counted, and were estimated by their length: ${String(error)}`);
      return rough;
    }
  }

  #recordOf(counts: Counts, usageSource: UsageRecord['usageSource'], interrupted: boolean): UsageRecord {
    const { accepted, resolved, decisionId } = this.#recorded;
    const { firstByteAt, status } = this.#meter;
    const seen = this.#meter.background(interrupted);
    return {
      id: decisionId,
      timestamp: new Date(this.#ports.clock()),
      subject: resolved.subject,
      endpoint: resolved.endpoint.name,
      model: resolved.endpoint.modelSlug,
      modelId: resolved.endpoint.modelId,
      ...tokensOf(counts),
      latencyMs: Math.round(performance.now() - accepted.begun),
      firstTokenMs: firstByteAt === null ? null : Math.round(firstByteAt - accepted.begun),
      usageSource,
      interrupted,
      upstreamStatus: status,
      ...(seen.length > 0 && { background: seen.map((one) => workSeen(one, resolved.endpoint.provider.id)) }),
    };
  }
}

function tokensOf({
  input,
  cached,
  written,
  output,
}: Counts): Pick<UsageRecord, 'inputTokens' | 'cachedInputTokens' | 'cacheWriteTokens' | 'outputTokens'> {
  return { inputTokens: input, cachedInputTokens: cached, cacheWriteTokens: written, outputTokens: output };
}
