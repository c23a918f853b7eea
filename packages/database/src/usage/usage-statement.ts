import { storable } from '@gateway/contract';
import { recordSet } from '../client/answers.ts';
import type { Row } from '../wire/reply-reader.ts';
import { STATEMENT_CLOCK } from './server-clock.ts';

/** What one relayed request consumed (relay-25). */
export interface UsageRecord {
  /** Of the decision: a record written twice is one record (relay-30). */
  readonly id: string;
  readonly timestamp: Date;
  readonly subject: string;
  readonly endpoint: string;
  /** Slug of the model, as sent. */
  readonly model: string;
  readonly modelId: string;
  /** Everything the engine read, from a cache too. */
  readonly inputTokens: number;
  /** The part of the input that was read from a cache, and the part that was written to one. */
  readonly cachedInputTokens: number;
  readonly cacheWriteTokens: number;
  readonly outputTokens: number;
  /** Milliseconds. */
  readonly latencyMs: number;
  /** Milliseconds from the call's arrival to the first byte of the answer's body; null where there was none. */
  readonly firstTokenMs: number | null;
  /** `none`: a call without a model. */
  readonly usageSource: 'reported' | 'estimated' | 'none';
  readonly interrupted: boolean;
  /** Of the provider's answer; null where a record from before an upgrade lacks it. */
  readonly upstreamStatus: number | null;
  /** Work in the background that the answer shows; absent: none. */
  readonly background?: readonly WorkSeen[] | undefined;
}

/** Work that ends after the call that started it, as one answer shows it. Its final usage is billed once, to its starter (relay-38). */
export interface WorkSeen {
  /** Of the usage record that bills it, if this answer is the first that shows the final usage. */
  readonly billId: string;
  /** Id of the provider, which gives the work its id. */
  readonly provider: string;
  readonly workId: string;
  /** Whether this call started it. */
  readonly isStart: boolean;
  /** Whether the answer shows the final usage: in the next members, or, for the call that started it, in its own record. */
  readonly isEnd: boolean;
  readonly input: number;
  readonly cached: number;
  readonly written: number;
  readonly output: number;
  /** Of a file of results: the work whose usage it contains. */
  readonly partOf: string | null;
}

const { columns, rows } = recordSet({
  id: 'uuid',
  timestamp: 'timestamptz',
  subject: 'text',
  endpoint: 'text',
  model: 'text',
  modelId: 'uuid',
  inputTokens: 'bigint',
  cachedInputTokens: 'bigint',
  cacheWriteTokens: 'bigint',
  outputTokens: 'bigint',
  latencyMs: 'integer',
  firstTokenMs: 'integer',
  usageSource: 'text',
  interrupted: 'boolean',
  upstreamStatus: 'integer',
} satisfies Record<Exclude<keyof UsageRecord, 'background'>, string>);

/** A record on its way into the table: a text costs the garbage collector less than an object, and is what a journal keeps too. */
export interface UsageLine {
  readonly id: string;
  /** JSON, as the table takes it. */
  readonly text: string;
}

/**
 * Written member by member: `JSON.stringify` of the record takes three times as long, two hundredths of a relayed call. Joined:
 * a line is kept until PostgreSQL has flushed it, and a text made by `+` keeps its parts, 1,280 bytes instead of 380.
 */
export function usageLine(record: UsageRecord): UsageLine {
  const parts = [
    `{"id":"${record.id}","timestamp":"${record.timestamp.toISOString()}","subject":`,
    jsonText(record.subject),
    ',"endpoint":',
    jsonText(record.endpoint),
    ',"model":',
    jsonText(record.model),
    `,"modelId":"${record.modelId}","inputTokens":${Math.round(record.inputTokens)}`,
    `,"cachedInputTokens":${Math.round(record.cachedInputTokens)}`,
    `,"cacheWriteTokens":${Math.round(record.cacheWriteTokens)}`,
    `,"outputTokens":${Math.round(record.outputTokens)},"latencyMs":${Math.round(record.latencyMs)}`,
    `,"firstTokenMs":${record.firstTokenMs === null ? null : Math.round(record.firstTokenMs)}`,
    `,"usageSource":"${record.usageSource}","interrupted":${record.interrupted}`,
    `,"upstreamStatus":${record.upstreamStatus}`,
  ];
  const seen = record.background ?? [];
  parts.push(seen.length > 0 ? `,"background":[${seen.map(workText).join(',')}]}` : '}');
  return { id: record.id, text: parts.join('') };
}

function workText(seen: WorkSeen): string {
  const { workId, partOf } = seen;
  return JSON.stringify({ ...seen, workId: storable(workId), partOf: partOf === null ? null : storable(partOf) });
}

const jsonText = (text: string): string => JSON.stringify(storable(text));

/**
 * A batch of records; existing ones are not changed, and not added to the totals again. Past the deadline, the last parameter,
 * nothing is written: the caller's answer states that nothing is billed (relay-31).
 */
export const INSERT_USAGE = `
with asked as (select ${STATEMENT_CLOCK} as clock), written as (
  insert into request_logs (${columns})
  select ${columns} from ${rows(1)}
  where (select clock from asked) <= $2::float8
  on conflict (id) do nothing
)
select clock, clock <= $2::float8 from asked`;

/** The list of the work is the last member. */
export function showsBackground({ text }: UsageLine): boolean {
  return text.endsWith(']}');
}

/** The same for a batch in which a record shows background work. */
export const INSERT_USAGE_AND_WORK = `
with asked as (select ${STATEMENT_CLOCK} as clock)
select clock, clock <= $2::float8, case when clock <= $2::float8 then record_background_work($1::text::json) end::text from asked`;

/** The server's reply to a batch. */
export interface UsageReply {
  /** Of the server, milliseconds since 1970. */
  readonly clock: number;
  /** Whether it arrived before its deadline: otherwise nothing was written. */
  readonly isInTime: boolean;
}

/** @param rows of the statement */
export function usageReply([row]: readonly Row[]): UsageReply {
  return { clock: Number(row?.[0] ?? 0), isInTime: row?.[1] === 't' };
}

/** @param deadline on the server's clock, milliseconds since 1970 */
export function usageParameters(lines: readonly UsageLine[], deadline: number): (string | number)[] {
  return [`[${lines.map(({ text }) => text).join(',')}]`, deadline];
}
