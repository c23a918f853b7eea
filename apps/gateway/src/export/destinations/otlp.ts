import { hostname } from 'node:os';
import { BRAND } from '@gateway/contract';
import { type Collector, type Destination, NotTaken } from './collector.ts';
import { OCSF_VERSION } from './ocsf-event.ts';
import type { CollectorEvent } from './outgoing.ts';

/** SeverityNumber and SeverityText of the logs data model, by the framework's `severity_id`. */
const SEVERITY: readonly (readonly [number, string])[] = [
  [9, 'INFO'],
  [9, 'INFO'],
  [10, 'INFO2'],
  [13, 'WARN'],
  [17, 'ERROR'],
];

const attribute = (key: string, stringValue: string) => ({ key, value: { stringValue } });

/** A batch as an ExportLogsServiceRequest in its JSON form (OTLP 1.x); the body of each record is the event's JSON. */
function otlpBody(batch: readonly CollectorEvent[], observedAt: number): string {
  const nanoseconds = (milliseconds: number): string => `${milliseconds}000000`;
  const logRecords = batch.map(({ source, uid, time, severity, json }) => {
    const [severityNumber, severityText] = SEVERITY[severity] ?? [9, 'INFO'];
    return {
      timeUnixNano: nanoseconds(time),
      observedTimeUnixNano: nanoseconds(observedAt),
      severityNumber,
      severityText,
      body: { stringValue: json },
      attributes: [attribute(`${BRAND}.log`, source), attribute('log.record.uid', uid)],
    };
  });
  const resource = { attributes: [attribute('service.name', BRAND), attribute('host.name', hostname())] };
  const scope = { name: 'ocsf', version: OCSF_VERSION };
  return JSON.stringify({ resourceLogs: [{ resource, scopeLogs: [{ scope, logRecords }] }] });
}

/** OTLP/HTTP logs: an answer of 200 is the receipt. Nothing is given up: what the collector refuses is sent again. */
export function createOtlp(collector: Collector): Destination {
  return {
    async deliver(batch, signal) {
      const { text, reply } = await collector.post(otlpBody(batch, Date.now()), signal);
      const rejected = countRejected(text);
      if (rejected > 0)
        throw new NotTaken(`the collector rejected ${rejected} of ${batch.length} events`, {
          fewer: true,
          isReported: true,
          reply,
        });
    },
    close: () => collector.close(),
  };
}

const REJECTED = /^\s*\{.*?"rejected(?:LogRecords|_log_records)"\s*:\s*"?(\d+)/s;

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
    // Nothing or a word, as some collectors answer 200; or a message so long that only its beginning was read.
    return Number(REJECTED.exec(text)?.[1] ?? 0);
  }
}
