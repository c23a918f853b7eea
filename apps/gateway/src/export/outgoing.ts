import { type ExportRecord, type ExportSource, recordedAt } from '@gateway/database/audit-log/log-reader';
import { createScanner } from '@gateway/secrets';
import { eventOf, fittingJson, type OcsfEvent } from './ocsf.ts';

/** What the collector gets. */
export interface CollectorEvent {
  /** The log it belongs to; a checkpoint belongs to none. */
  readonly source: ExportSource | 'checkpoints';
  /** The same event sent twice has the same one. */
  readonly uid: string;
  /**
   * When it was recorded, in milliseconds since the epoch. Never a time that a caller chose: receivers refuse times in the future
   * or far in the past.
   */
  readonly time: number;
  /** `severity_id` of the framework. */
  readonly severity: number;
  /** The event, one line of JSON. */
  readonly json: string;
}

/** An entry on its way to the collector. */
export interface OutgoingEvent extends CollectorEvent {
  readonly source: ExportSource;
  readonly position: bigint;
}

/** Makes an entry an event. @param most bytes of an event. */
export type MakeOutgoing = (record: ExportRecord) => OutgoingEvent;

/**
 * Entries contain no secrets by themselves. Workstations, administrators and callers may still write one into a name, a target or
 * a reason. So each event is scanned once more, and possible secrets are masked (log-15).
 */
export function createOutgoing(most: number): MakeOutgoing {
  const scanner = createScanner({ key: new Uint8Array(32) }); // the digests of these findings are not used
  return (record) => {
    const event = eventOf(record);
    const body = Buffer.from(JSON.stringify(event));
    const { findings, mask } = scanner.scanBody(body, 'application/json');
    // Masked before it is shortened: half a secret would not be recognised.
    const masked = findings.length === 0 ? event : (JSON.parse(Buffer.from(mask()).toString()) as OcsfEvent);
    const { uid } = event['metadata'] as { uid: string };
    return {
      source: record.source,
      position: record.position,
      uid,
      time: Date.parse(recordedAt(record)),
      severity: event['severity_id'] as number,
      json: fittingJson(masked, most),
    };
  };
}
