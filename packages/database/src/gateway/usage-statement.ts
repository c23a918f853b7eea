import { storable } from '@gateway/contract';
import { arrayLiteral } from './array-literal.ts';

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

/** A batch of records; those already there are left as they are, and not added to the totals again. */
export const INSERT_USAGE = `
insert into request_logs (${names})
select ${names} from unnest(${COLUMNS.map(([, type], index) => `$${index + 1}::${type}[]`).join(', ')}) as record (${names})
on conflict (id) do nothing`;

export function usageParameters(records: readonly UsageRecord[]): string[] {
  return COLUMNS.map(([, , value]) => arrayLiteral(records.map(value)));
}
