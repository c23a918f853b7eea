import type { Scanner } from '@gateway/secrets';
import { quantile } from '../load/statistics.ts';

/** How much of a streamed answer waits, measured over ordinary code and prose cut as models cut it. */
export interface StreamFigures {
  /** Characters that wait after a delta. */
  readonly heldMean: number;
  readonly heldP99: number;
  readonly heldMost: number;
  /** Share of deltas after which something waits. */
  readonly deltasDelayed: number;
  readonly mbPerSecond: number;
}

/** Words with the blank before them, long words in pieces of four letters, marks one by one: much as tokenizers cut. */
export function deltasOf(text: string): string[] {
  return text.match(/\s?[A-Za-z]{1,5}|\s?\d{1,3}|\s+|[^\sA-Za-z0-9]{1,2}/g) ?? [];
}

export function measureStreams(scanner: Scanner, texts: readonly string[]): StreamFigures {
  const held: number[] = [];
  let characters = 0;
  const from = process.hrtime.bigint();
  for (const text of texts) {
    const channel = scanner.channel({ high: 'mask', medium: 'mask' }, null);
    for (const delta of deltasOf(text.slice(0, 20_000))) {
      channel.push(delta);
      held.push(channel.held);
      characters += delta.length;
    }
    channel.end();
  }
  const seconds = Number(process.hrtime.bigint() - from) / 1e9;
  return {
    heldMean: held.reduce((sum, count) => sum + count, 0) / held.length,
    heldP99: quantile(held, 0.99),
    heldMost: held.reduce((most, count) => Math.max(most, count), 0),
    deltasDelayed: held.filter((count) => count > 0).length / held.length,
    mbPerSecond: characters / 1e6 / seconds,
  };
}
