import { type UsageRecord, usageLine } from '@gateway/database/gateway';
import * as z from 'zod';
import type { LineForm } from '../spool/spool.ts';

const SHAPE: z.ZodType<UsageRecord> = z.strictObject({
  id: z.guid(),
  timestamp: z.iso.datetime().transform((text) => new Date(text)),
  subject: z.string(),
  endpoint: z.string(),
  model: z.string(),
  modelId: z.guid(),
  inputTokens: z.int().nonnegative(),
  // Fields with a default are absent in what a version before them left in the spool.
  cachedInputTokens: z.int().nonnegative().default(0),
  cacheWriteTokens: z.int().nonnegative().default(0),
  outputTokens: z.int().nonnegative(),
  latencyMs: z.int().nonnegative(),
  firstTokenMs: z.int().nonnegative().nullable().default(null),
  usageSource: z.enum(['reported', 'estimated', 'none']),
  interrupted: z.boolean(),
  upstreamStatus: z.int().nullable().default(null),
});

/** A usage record as the spool keeps it. */
export const USAGE_RECORD: LineForm<UsageRecord> = { shape: SHAPE, lineOf: usageLine };
