import { BRAND, type Decision } from '@gateway/contract';
import type { ExportRecord } from '@gateway/database/gateway';
import { API_ACTIVITY, actorOf, baseOf, controlOf, type OcsfEvent, optional } from './event.ts';

type DecisionRecord = Extract<ExportRecord, { source: 'decisions' }>;

/** A decision of the decision log: API Activity, with what the control decided (profile `security_control`). */
export function decisionEvent({ decision, position, digest }: DecisionRecord): OcsfEvent {
  const granted = decision.outcome === 'granted';
  const { subject, session, permission, resource, reason, policyRevision } = decision;
  return {
    ...baseOf({
      class: API_ACTIVITY,
      activity: 99,
      activityName: permission,
      severity: granted ? 1 : 2,
      status: granted ? 1 : 2,
      at: decision.at,
      message: `${subject ?? 'somebody unknown'}: ${permission} on ${resource} ${decision.outcome} (${reason})`,
      uid: decision.id,
      log: 'authorization_decisions',
      position,
      correlation: decision.id,
      profiles: ['security_control'],
    }),
    status_code: reason,
    ...optional('status_detail', decision.detail),
    ...controlOf(granted),
    authorizations: [{ decision: decision.outcome, ...optional('policy', policyOf(policyRevision)) }],
    actor: actorOf(subject, session, decision.component),
    api: {
      operation: permission,
      service: { name: `${BRAND} ${decision.component}` },
      response: { code: decision.status, message: reason },
      ...optional('request', decision.requestId && { uid: decision.requestId }),
    },
    src_endpoint: endpointOf(decision),
    resources: [{ name: resource, type: resource.split(':', 1)[0] ?? resource }],
    unmapped: {
      credential: decision.credential,
      ...optional('key_id', decision.keyId),
      roles: decision.roles,
      chain_digest: digest,
    },
  };
}

function policyOf(revision: number | null): OcsfEvent | null {
  return revision === null ? null : { name: 'authorization policy', version: String(revision) };
}

/** The source of the call; without an address of its own, the component. */
function endpointOf({ sourceAddress, component }: Pick<Decision, 'sourceAddress' | 'component'>): OcsfEvent {
  return sourceAddress === null ? { svc_name: component } : { ip: sourceAddress };
}
