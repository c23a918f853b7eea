import { BRAND } from '@gateway/contract';
import type { CollectorEvent } from './outgoing.ts';

/** Facility 13, log audit (RFC 5424 section 6.2.1). */
const FACILITY = 13;

/** Syslog severity of the framework's `severity_id`: informational, notice, warning, error. */
const SEVERITY: readonly number[] = [6, 6, 5, 4, 3];

const MSGID: Readonly<Record<CollectorEvent['source'], string>> = {
  decisions: 'decision',
  actions: 'action',
  detections: 'detection',
  acts: 'act',
  checkpoints: 'checkpoint',
};

/** The sender: HOSTNAME and PROCID of the header, printable ASCII without a space. */
export interface Speaker {
  readonly host: string;
  readonly process: number;
}

/**
 * One event as an RFC 5424 message in an octet-counted frame (RFC 6587 section 3.4.1, RFC 5425 section 4.3). The message is
 * UTF-8 without a byte order mark, which collectors would take for a part of the JSON.
 */
export function frameOf({ source, time, severity, json }: CollectorEvent, { host, process }: Speaker): Buffer {
  const priority = FACILITY * 8 + (SEVERITY[severity] ?? 6);
  const name = host.replaceAll(/[^\x21-\x7e]/g, '').slice(0, 255) || '-';
  const header = `<${priority}>1 ${new Date(time).toISOString()} ${name} ${BRAND} ${process} ${MSGID[source]} -`;
  const message = Buffer.from(`${header} ${json}`);
  return Buffer.concat([Buffer.from(`${message.length} `), message]);
}
