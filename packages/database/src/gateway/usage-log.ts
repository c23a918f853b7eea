import { storableText } from '../chain/text.ts';
import type { DatabaseAddress } from '../connect.ts';
import { unavailable } from '../unavailable.ts';
import { arrayLiteral } from './array-literal.ts';
import { createLane } from './lane.ts';
import { createLink } from './link.ts';

/** One relayed request that completed, or was interrupted (specification, Usage record). */
export interface UsageRecord {
  /** Of the decision: a record written twice is one record. */
  readonly id: string;
  readonly timestamp: Date;
  readonly subject: string;
  readonly endpoint: string;
  /** Slug, as it was sent. */
  readonly model: string;
  readonly modelId: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly latencyMs: number;
  readonly usageSource: 'reported' | 'estimated';
  readonly interrupted: boolean;
}

export interface UsageLogOptions {
  readonly address: DatabaseAddress;
  /** Milliseconds from a record to its answer. */
  readonly budgetMs: number;
}

export interface UsageLog {
  /** Resolves once the record is committed. @throws DatabaseUnavailable when it is not known to be, in time. */
  insert(record: UsageRecord): Promise<void>;
  close(): void;
}

/** Records of one statement. */
const LIMIT = 256;

const INSERT = `
  insert into request_logs
    (id, timestamp, subject, endpoint, model, model_id, input_tokens, output_tokens, latency_ms, usage_source, interrupted)
  select * from unnest($1::uuid[], $2::timestamptz[], $3::text[], $4::text[], $5::text[], $6::uuid[], $7::bigint[],
    $8::bigint[], $9::integer[], $10::text[], $11::boolean[])
  on conflict (id) do nothing`;

/** Writes usage records in batches: while one is being committed the next collects. Idempotent by the record's id. */
export function createUsageLog({ address, budgetMs }: UsageLogOptions): UsageLog {
  const link = createLink({
    address,
    applicationName: 'gateway usage',
    budgetMs,
    settings: { lock_timeout: Math.min(budgetMs, 2000) },
  });
  const lane = createLane<UsageRecord, null>({
    limit: LIMIT,
    async answer(records, deadline) {
      await link
        .run(deadline, (sql) => sql.unsafe(INSERT, columnsOf(records), { prepare: true }))
        .catch((error: unknown) => {
          throw unavailable(error);
        });
      return records.map(() => null);
    },
  });
  return {
    async insert(record) {
      await lane.ask(record, performance.now() + budgetMs);
    },
    close: () => link.cut(),
  };
}

function columnsOf(records: readonly UsageRecord[]): string[] {
  const text = (pick: (record: UsageRecord) => string): string =>
    arrayLiteral(records.map((record) => storableText(pick(record))));
  return [
    arrayLiteral(records.map(({ id }) => id)),
    arrayLiteral(records.map(({ timestamp }) => timestamp.toISOString())),
    text(({ subject }) => subject),
    text(({ endpoint }) => endpoint),
    text(({ model }) => model),
    arrayLiteral(records.map(({ modelId }) => modelId)),
    arrayLiteral(records.map(({ inputTokens }) => inputTokens)),
    arrayLiteral(records.map(({ outputTokens }) => outputTokens)),
    arrayLiteral(records.map(({ latencyMs }) => Math.min(latencyMs, 2_147_483_647))),
    arrayLiteral(records.map(({ usageSource }) => usageSource)),
    arrayLiteral(records.map(({ interrupted }) => interrupted)),
  ];
}
