import { type UsageRecord, usageLine, type WorkSeen } from '@gateway/database/gateway';
import * as z from 'zod';
import type { LineForm } from '../spool/spool.ts';

const count = z.int().nonnegative();
const SEEN: z.ZodType<WorkSeen> = z.strictObject({
  billId: z.guid(),
  provider: z.guid(),
  workId: z.string(),
  isStart: z.boolean(),
  isEnd: z.boolean(),
  input: count,
  cached: count,
  written: count,
  output: count,
  partOf: z.string().nullable(),
});

const SHAPE: z.ZodType<UsageRecord> = z.strictObject({
  id: z.guid(),
  timestamp: z.iso.datetime().transform((text) => new Date(text)),
  subject: z.string(),
  endpoint: z.string(),
  model: z.string(),
  modelId: z.guid(),
  inputTokens: count,
  // Fields with a default are absent in what a version before them left in the spool.
  cachedInputTokens: count.default(0),
  cacheWriteTokens: count.default(0),
  outputTokens: count,
  latencyMs: count,
  firstTokenMs: count.nullable().default(null),
  usageSource: z.enum(['reported', 'estimated', 'none']),
  interrupted: z.boolean(),
  upstreamStatus: z.int().nullable().default(null),
  background: z.array(SEEN).optional(),
});

/** A usage record as the spool keeps it. */
export const USAGE_RECORD: LineForm<UsageRecord> = { shape: SHAPE, lineOf: usageLine };
