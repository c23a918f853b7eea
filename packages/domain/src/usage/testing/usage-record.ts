import { v7 as uuid } from 'uuid';
import type { UsageRecord } from '../shape.ts';

/** What a call consumed, as the relay accounts for it, with changes. */
export function aUsageRecord(change: Partial<UsageRecord> = {}): UsageRecord {
  return {
    id: uuid(),
    timestamp: new Date(),
    subject: 'caller',
    endpoint: 'chat',
    model: 'small',
    modelId: uuid(),
    inputTokens: 11,
    cachedInputTokens: 0,
    cacheWriteTokens: 0,
    outputTokens: 7,
    latencyMs: 5,
    firstTokenMs: 3,
    usageSource: 'reported',
    interrupted: false,
    upstreamStatus: 200,
    ...change,
  };
}
