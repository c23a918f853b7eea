import { hostname } from 'node:os';
import { BRAND } from '@gateway/contract';
import { OCSF_VERSION } from '../ocsf/event.ts';
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
export function otlpBody(batch: readonly CollectorEvent[], observedAt: number): string {
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
