import { storable } from '@gateway/contract';
import { arrayLiteral } from './array-literal.ts';
import { STATEMENT_CLOCK } from './server-clock.ts';

/** What one relayed request consumed (specification, Usage record). */
export interface UsageRecord {
  /** Of the decision: a record written twice is one record (decisions §8). */
  readonly id: string;
  readonly timestamp: Date;
  readonly subject: string;
  readonly endpoint: string;
  /** Slug of the model, as it was sent. */
  readonly model: string;
  readonly modelId: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Milliseconds. */
  readonly latencyMs: number;
  readonly usageSource: 'reported' | 'estimated';
  readonly interrupted: boolean;
}

const COLUMNS: readonly (readonly [
  column: string,
  type: string,
  value: (record: UsageRecord) => string | number | boolean,
])[] = [
  ['id', 'uuid', ({ id }) => id],
  ['timestamp', 'timestamptz', ({ timestamp }) => timestamp.toISOString()],
  ['subject', 'text', ({ subject }) => storable(subject)],
  ['endpoint', 'text', ({ endpoint }) => storable(endpoint)],
  ['model', 'text', ({ model }) => storable(model)],
  ['model_id', 'uuid', ({ modelId }) => modelId],
  ['input_tokens', 'bigint', ({ inputTokens }) => Math.round(inputTokens)],
  ['output_tokens', 'bigint', ({ outputTokens }) => Math.round(outputTokens)],
  ['latency_ms', 'integer', ({ latencyMs }) => Math.round(latencyMs)],
  ['usage_source', 'text', ({ usageSource }) => usageSource],
  ['interrupted', 'boolean', ({ interrupted }) => interrupted],
];

const names = COLUMNS.map(([name]) => name).join(', ');

/**
 * A batch of records; those already there are left as they are, and not added to the totals again. Past the deadline, the last
 * parameter, nothing is written: whoever waited was told that nothing is billed (specification, Errors: 503).
 */
export const INSERT_USAGE = `
with asked as (select ${STATEMENT_CLOCK} as clock), written as (
  insert into request_logs (${names})
  select ${names} from unnest(${COLUMNS.map(([, type], index) => `$${index + 1}::${type}[]`).join(', ')}) as record (${names})
  where (select clock from asked) <= $${COLUMNS.length + 1}::float8
  on conflict (id) do nothing
)
select clock, clock <= $${COLUMNS.length + 1}::float8 as "inTime" from asked`;

/** What the server says to a batch. */
export interface UsageReply {
  /** Of the server, milliseconds since 1970. */
  readonly clock: number;
  /** Whether it came before its deadline: else nothing was written. */
  readonly inTime: boolean;
}

/** @param deadline on the server's clock, milliseconds since 1970 */
export function usageParameters(records: readonly UsageRecord[], deadline: number): (string | number)[] {
  return [...COLUMNS.map(([, , value]) => arrayLiteral(records.map(value))), deadline];
}
