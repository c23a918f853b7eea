import type { ModelPrices } from '@gateway/domain/usage/gateway';
import type { UsageRecord } from '@gateway/domain/usage/shape';
import { aUsageRecord } from '@gateway/domain/usage/testing/usage-record';
import { describe, expect, it } from 'vitest';
import { createCostMeter } from './cost.ts';

const PRICES: ModelPrices = { input: 2, cachedInput: 1, cacheWrite: 3, output: 10 };

const record = (more: Partial<UsageRecord> = {}): UsageRecord =>
  aUsageRecord({
    modelId: 'model-1',
    inputTokens: 10,
    cachedInputTokens: 4,
    cacheWriteTokens: 1,
    outputTokens: 2,
    ...more,
  });

const of = (endpoint: string, model: string) => ({ 'gateway.endpoint': endpoint, 'gen_ai.request.model': model });

describe('the cost of calls', () => {
  it('is that of each kind of token, by endpoint and model', async () => {
    const meter = createCostMeter(async () => new Map([['model-1', PRICES]]));
    meter.used(record());
    meter.used(record());
    meter.used(
      record({ endpoint: 'other', inputTokens: 1, cachedInputTokens: 0, cacheWriteTokens: 0, outputTokens: 0 }),
    );
    await meter.settle();
    // (10 - 4 - 1) * 2 + 4 * 1 + 1 * 3 + 2 * 10, twice
    expect(meter.instrument.points()).toEqual([
      { attributes: of('chat', 'small'), value: 74 },
      { attributes: of('other', 'small'), value: 2 },
    ]);
  });

  it('only grows, at the prices of the time', async () => {
    let price = PRICES;
    const meter = createCostMeter(async () => new Map([['model-1', price]]));
    meter.used(record());
    await meter.settle();
    price = { input: 0, cachedInput: 0, cacheWrite: 0, output: 1 };
    meter.used(record());
    await meter.settle();
    await meter.settle();
    expect(meter.instrument.points()).toEqual([{ attributes: of('chat', 'small'), value: 39 }]);
  });

  it('waits for prices that cannot be read', async () => {
    let isAway = true;
    const meter = createCostMeter(async () => {
      if (isAway) throw new Error('the database is unavailable');
      return new Map([['model-1', PRICES]]);
    });
    meter.used(record());
    await meter.settle();
    expect(meter.instrument.points()).toEqual([]);
    isAway = false;
    meter.used(record());
    await meter.settle();
    expect(meter.instrument.points()).toEqual([{ attributes: of('chat', 'small'), value: 74 }]);
  });

  it('has no cost for a model without a price, and for a call without a model', async () => {
    const meter = createCostMeter(async () => new Map());
    meter.used(record());
    meter.used(record({ usageSource: 'none', model: 'silent' }));
    await meter.settle();
    expect(meter.instrument.points()).toEqual([{ attributes: of('chat', 'small'), value: 0 }]);
  });
});
