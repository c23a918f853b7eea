import type { UsageRecord, UsageSummary } from '../../../api/objects.ts';

// Usage as the console answers it. A test names only what matters to it.

const NONE = {
  requests: 0,
  interrupted: 0,
  estimated: 0,
  inputTokens: 0,
  cachedInputTokens: 0,
  cacheWriteTokens: 0,
  outputTokens: 0,
  cost: 0,
  latencyMs: null,
};

/** What one part of a period used: a step of time, an endpoint, a model or a subject. */
export const usagePart = (name: string, but: object = {}) => ({
  ...NONE,
  name,
  requests: 2,
  inputTokens: 1000,
  outputTokens: 200,
  cost: 0.5,
  latencyMs: 800,
  ...but,
});

export const summary = (but: Partial<UsageSummary> = {}): UsageSummary => ({
  totals: { ...NONE, requests: 1234, inputTokens: 5_000_000, outputTokens: 7000, cost: 12.345, latencyMs: 950 },
  series: [],
  endpoints: [usagePart('chat')],
  models: [{ ...usagePart('small'), provider: 'lab' }],
  subjects: [usagePart('ada')],
  counts: { endpoints: 1, models: 1, subjects: 1 },
  ...but,
});

export const nothingUsed = (): UsageSummary =>
  summary({
    totals: NONE,
    endpoints: [],
    models: [],
    subjects: [],
    counts: { endpoints: 0, models: 0, subjects: 0 },
  });

export const usageRecord = (but: Partial<UsageRecord> = {}): UsageRecord => ({
  id: 'u1',
  timestamp: '2026-01-05T08:00:00.000Z',
  subject: 'ada',
  endpoint: 'chat',
  model: 'small',
  provider: 'lab',
  inputTokens: 1000,
  cachedInputTokens: 100,
  cacheWriteTokens: 0,
  outputTokens: 200,
  latencyMs: 1500,
  usageSource: 'reported',
  interrupted: false,
  cost: 0.0012,
  pricedAs: 'current',
  inputPrice: 0.000001,
  cachedInputPrice: null,
  cacheWritePrice: null,
  outputPrice: 0.000002,
  ...but,
});
