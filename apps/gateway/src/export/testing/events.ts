import { v7 } from 'uuid';
import type { OutgoingEvent } from '../outgoing.ts';

/** An event as the exporter hands it on, with changes. */
export function anEvent(more: Partial<OutgoingEvent> = {}): OutgoingEvent {
  const uid = v7();
  return {
    source: 'decisions',
    position: 1n,
    uid,
    time: Date.UTC(2026, 10, 21, 10, 0, 0, 7),
    severity: 1,
    json: JSON.stringify({ metadata: { uid }, message: 'ünïcode “quoted”' }),
    ...more,
  };
}
