import type { ExportRecord } from '@gateway/database/gateway';
import { actorOf, baseOf, DETECTION_FINDING, type OcsfEvent, valueOf } from './event.ts';

type ActionRecord = Extract<ExportRecord, { source: 'actions' }>;

/** Spending reached a threshold of its plan: Detection Finding, so that a collector treats it as an alert (console-25). */
export function budgetAlertEvent({ action, position, digest }: ActionRecord): OcsfEvent {
  const value = valueOf(action.newValue) ?? {};
  const subject = action.target.replace(/^subject:/, '');
  const threshold = Number(value['threshold']);
  const isReached = threshold >= 100; // the next call is refused
  const title = `${subject} has spent ${threshold} % of the cap of the month`;
  return {
    ...baseOf({
      class: DETECTION_FINDING,
      activity: 1,
      activityName: 'Create',
      severity: isReached ? 3 : 2,
      at: action.at,
      message: title,
      uid: action.id,
      log: 'administration_actions',
      position,
      correlation: null,
      profiles: ['security_control'],
    }),
    status_id: 1,
    status: 'New',
    status_code: action.action,
    ...(isReached ? { action_id: 2, action: 'Denied' } : { action_id: 1, action: 'Allowed' }),
    disposition_id: 19,
    disposition: 'Alert',
    is_alert: true,
    finding_info: {
      uid: action.id,
      title,
      types: ['budget'],
      created_time: Date.parse(action.at),
      analytic: { name: 'budget-threshold', uid: 'budget-threshold', type_id: 1, type: 'Rule' },
    },
    evidences: [{ actor: actorOf(subject, null, action.component), data: value }],
    unmapped: { chain_digest: digest },
  };
}
