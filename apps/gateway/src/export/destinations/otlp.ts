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
          partial: true,
          reply,
        });
    },
    close: () => collector.close(),
  };
}

interface PartialSuccess {
  readonly rejectedLogRecords?: string | number;
  readonly rejected_log_records?: string | number;
}

/** `partialSuccess.rejectedLogRecords`, a 64-bit number that JSON writes as a text. Some collectors keep the names of the protocol's source. */
function countRejected(text: string): number {
  try {
    const answer = JSON.parse(text) as { partialSuccess?: PartialSuccess; partial_success?: PartialSuccess } | null;
    const partial = answer?.partialSuccess ?? answer?.partial_success;
    return Number(partial?.rejectedLogRecords ?? partial?.rejected_log_records ?? 0) || 0;
  } catch {
    return 0; // some collectors answer 200 with nothing, or with a word
  }
}
