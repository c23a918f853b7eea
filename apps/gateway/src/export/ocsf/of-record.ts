import type { ExportRecord } from '@gateway/database/gateway';
import { actEvent } from './act.ts';
import { actionEvent } from './action.ts';
import { decisionEvent } from './decision.ts';
import { detectionEvent } from './detection.ts';
import type { OcsfEvent } from './event.ts';

/** The event of an entry of any log (docs/log-export.md lists the attributes). */
export function eventOf(record: ExportRecord): OcsfEvent {
  switch (record.source) {
    case 'decisions':
      return decisionEvent(record);
    case 'actions':
      return actionEvent(record);
    case 'detections':
      return detectionEvent(record);
    default:
      return actEvent(record);
  }
}
