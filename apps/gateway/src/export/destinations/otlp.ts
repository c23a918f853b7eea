import type { Collector } from './collector.ts';
import { type Destination, NotTaken } from './destination.ts';
import { otlpBody } from './otlp-body.ts';

/** OTLP/HTTP logs: an answer of 200 is the receipt. Nothing is given up: what the collector refuses is sent again. */
export function createOtlp(collector: Collector): Destination {
  return {
    async deliver(batch, signal) {
      const { text, reply } = await collector.post(otlpBody(batch, Date.now()), signal);
      const rejected = countRejected(text);
      if (rejected > 0)
        throw new NotTaken(`the collector rejected ${rejected} of ${batch.length} events`, {
          fewer: true,
          reply,
        });
    },
    close: () => collector.close(),
  };
}

/** `partialSuccess.rejectedLogRecords`, a 64-bit number that JSON writes as a text. */
function countRejected(text: string): number {
  try {
    const answer = JSON.parse(text) as { partialSuccess?: { rejectedLogRecords?: string | number } } | null;
    return Number(answer?.partialSuccess?.rejectedLogRecords ?? 0) || 0;
  } catch {
    return 0; // some collectors answer 200 with nothing, or with a word
  }
}
