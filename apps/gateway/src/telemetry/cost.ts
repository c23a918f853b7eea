import type { ModelPrices } from '@gateway/domain/usage/gateway';
import type { UsageRecord } from '@gateway/domain/usage/shape';
import { Counter, type Instrument } from './instruments.ts';

/** What calls cost. Prices are in the database, so they are applied when metrics are sent. */
export interface CostMeter {
  readonly instrument: Instrument;
  used(record: UsageRecord): void;
  /** Adds the cost of the calls since the last run. If the prices cannot be read, it is added in the next run. */
  settle(): Promise<void>;
}

interface Tokens {
  readonly endpoint: string;
  readonly model: string;
  readonly modelId: string;
  input: number;
  cachedInput: number;
  cacheWrite: number;
  output: number;
}

/** @param prices by the id of the model; a model that has none costs nothing. */
export function createCostMeter(prices: () => Promise<ReadonlyMap<string, ModelPrices>>): CostMeter {
  const instrument = new Counter({
    name: 'gateway.cost',
    unit: '{EUR}',
    description: 'Cost of relayed calls in euros, at current prices.',
  });
  const waiting = new Map<string, Tokens>();

  function used({ endpoint, model, modelId, ...record }: UsageRecord): void {
    if (record.usageSource === 'none') return;
    const key = `${endpoint}\0${modelId}`;
    const tokens = waiting.get(key) ?? { endpoint, model, modelId, input: 0, cachedInput: 0, cacheWrite: 0, output: 0 };
    waiting.set(key, tokens);
    tokens.input += record.inputTokens - record.cachedInputTokens - record.cacheWriteTokens;
    tokens.cachedInput += record.cachedInputTokens;
    tokens.cacheWrite += record.cacheWriteTokens;
    tokens.output += record.outputTokens;
  }

  return {
    instrument,
    used,
    async settle() {
      if (waiting.size === 0) return;
      const known = await prices().catch(() => null);
      if (known === null) return;
      for (const { endpoint, model, modelId, ...tokens } of waiting.values()) {
        const price = known.get(modelId);
        const cost =
          price === undefined
            ? 0
            : tokens.input * price.input +
              tokens.cachedInput * price.cachedInput +
              tokens.cacheWrite * price.cacheWrite +
              tokens.output * price.output;
        instrument.add(cost, { 'gateway.endpoint': endpoint, 'gen_ai.request.model': model });
      }
      waiting.clear();
    },
  };
}
