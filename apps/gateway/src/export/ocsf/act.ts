import type { AgentAct } from '@gateway/contract';
import type { ExportRecord } from '@gateway/database/gateway';
import { API_ACTIVITY, actorOf, baseOf, controlOf, type OcsfEvent, optional } from './event.ts';

type ActRecord = Extract<ExportRecord, { source: 'acts' }>;

const STATUS: Readonly<Record<AgentAct['outcome'], 1 | 2 | 99>> = {
  succeeded: 1,
  failed: 2,
  refused: 2,
  interrupted: 99,
};

/** One tool call of an agent, as its workstation reports it: API Activity of that tool. */
export function actEvent({ act, position }: ActRecord): OcsfEvent {
  const { tool, target, outcome, authorizedBy } = act;
  const refused = outcome === 'refused';
  return {
    ...baseOf({
      class: API_ACTIVITY,
      activity: 99,
      activityName: tool,
      severity: refused ? 2 : 1,
      status: STATUS[outcome],
      at: act.at,
      message: `${act.subject}: ${tool} on a ${target.kind} ${outcome} (by ${authorizedBy})`,
      uid: act.id,
      log: 'agent_acts',
      position,
      correlation: null,
      profiles: ['security_control'],
    }),
    status_code: outcome,
    ...optional('status_detail', act.reason),
    ...controlOf(!refused),
    authorizations: [{ decision: refused ? 'refused' : 'granted', policy: { name: authorizedBy } }],
    actor: actorOf(act.subject, act.session, 'workstation'),
    api: { operation: tool, service: { name: 'workstation' } },
    src_endpoint: { svc_name: 'workstation' },
    resources: [{ name: target.value, type: target.kind }],
    ...optional('unmapped', act.parentSession && { parent_session: act.parentSession }),
  };
}
