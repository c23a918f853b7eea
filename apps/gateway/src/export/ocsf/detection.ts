import type { Detection } from '@gateway/contract';
import type { ExportRecord } from '@gateway/database/gateway';
import { actorOf, baseOf, DETECTION_FINDING, type OcsfEvent, optional, type Severity } from './event.ts';

type DetectionRecord = Extract<ExportRecord, { source: 'detections' }>;

/** What was done, in the framework's words: `action_id`, `disposition_id`, and how grave it is that it was needed. */
const RESPONSES: Readonly<Record<Detection['response'], OcsfEvent & { readonly severity: Severity }>> = {
  block: { severity: 3, action_id: 2, action: 'Denied', disposition_id: 2, disposition: 'Blocked' },
  mask: { severity: 3, action_id: 1, action: 'Allowed', disposition_id: 11, disposition: 'Corrected' },
  alert: { severity: 4, action_id: 1, action: 'Allowed', disposition_id: 19, disposition: 'Alert' },
};

/** What looked like a secret: Detection Finding. The value is nowhere in it (log-15). */
export function detectionEvent({ detection, call, position }: DetectionRecord): OcsfEvent {
  const { kind, rule, place, confidence } = detection;
  const { severity, ...control } = RESPONSES[detection.response];
  const title = `${kind} (${rule}) in the ${place} of a call`;
  return {
    ...baseOf({
      class: DETECTION_FINDING,
      activity: 1,
      activityName: 'Create',
      severity,
      at: detection.at,
      message: `${title}: ${detection.response}`,
      uid: detection.id,
      log: 'secret_detections',
      position,
      correlation: detection.decisionId,
      profiles: ['security_control'],
    }),
    status_id: 1,
    status: 'New',
    ...control,
    is_alert: true,
    confidence_id: confidence === 'high' ? 3 : 2,
    confidence: confidence === 'high' ? 'High' : 'Medium',
    finding_info: {
      uid: detection.id,
      title,
      types: [kind],
      created_time: Date.parse(detection.at),
      analytic: { name: rule, uid: rule, type_id: 1, type: 'Rule' },
      related_events: [{ uid: detection.decisionId, type_uid: 600_399 }],
    },
    evidences: [
      {
        actor: actorOf(call?.subject ?? null, call?.session ?? null, 'gateway'),
        ...optional('src_endpoint', call?.sourceAddress && { ip: call.sourceAddress }),
        data: {
          place,
          ...optional('pointer', detection.pointer),
          start: detection.start,
          end: detection.end,
          length: detection.length,
          keyed_digest: detection.digest,
          occurrences: detection.occurrences,
        },
      },
    ],
    ...optional('resources', call && [{ name: call.resource, type: call.resource.split(':', 1)[0] ?? '' }]),
  };
}
