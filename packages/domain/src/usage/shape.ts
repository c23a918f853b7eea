import * as z from 'zod';

const count = z.int().nonnegative();

const workSeen = z.strictObject({
  /** Of the usage record that bills it, if this answer is the first that shows the final usage. */
  billId: z.guid(),
  /** Id of the provider, which gives the work its id. */
  provider: z.guid(),
  workId: z.string(),
  /** Whether this call started it. */
  isStart: z.boolean(),
  /** Whether the answer shows the final usage: in the next members, or, for the call that started it, in its own record. */
  isEnd: z.boolean(),
  input: count,
  cached: count,
  written: count,
  output: count,
  /** Of a file of results: the work whose usage it contains. */
  partOf: z.string().nullable(),
});

/** Work that ends after the call that started it, as one answer shows it. Its final usage is billed once, to its starter (relay-38). */
export type WorkSeen = Readonly<z.output<typeof workSeen>>;

/**
 * A usage record, as it waits on disk for the database. Members with a default are absent in what a version before them left
 * there.
 */
export const usageRecord = z.strictObject({
  /** Of the decision: a record written twice is one record (relay-30). */
  id: z.guid(),
  timestamp: z.iso.datetime().transform((text) => new Date(text)),
  subject: z.string(),
  endpoint: z.string(),
  /** Slug of the model, as sent. */
  model: z.string(),
  modelId: z.guid(),
  /** Everything the engine read, from a cache too. */
  inputTokens: count,
  /** The part of the input that was read from a cache, and the part that was written to one. */
  cachedInputTokens: count.default(0),
  cacheWriteTokens: count.default(0),
  outputTokens: count,
  /** Milliseconds. */
  latencyMs: count,
  /** Milliseconds from the call's arrival to the first byte of the answer's body; null where there was none. */
  firstTokenMs: count.nullable().default(null),
  /** `none`: a call without a model. */
  usageSource: z.enum(['reported', 'estimated', 'none']),
  interrupted: z.boolean(),
  /** Of the provider's answer; null where a record from before an upgrade lacks it. */
  upstreamStatus: z.int().nullable().default(null),
  /** Work in the background that the answer shows; absent: none. */
  background: z.array(workSeen).readonly().optional(),
});

/** What one relayed request consumed (relay-25). */
export type UsageRecord = Readonly<z.output<typeof usageRecord>>;
