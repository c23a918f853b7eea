import { type AgentAct, BRAND, type Decision, type Detection, printable } from '@gateway/contract';
import type { ExportRecord } from '@gateway/database/audit-log/log-reader';

/**
 * Version of the Open Cybersecurity Schema Framework (schema.ocsf.io) that every event keeps to: the first one in which a class
 * like API Activity may have the profile `security_control`, and a finding `is_alert`.
 */
export const OCSF_VERSION = '1.4.0';

const API_ACTIVITY: EventClass = {
  uid: 6003,
  name: 'API Activity',
  category: 6,
  categoryName: 'Application Activity',
};
export const ENTITY_MANAGEMENT: EventClass = {
  uid: 3004,
  name: 'Entity Management',
  category: 3,
  categoryName: 'Identity & Access Management',
};
const USER_ACCESS_MANAGEMENT: EventClass = { ...ENTITY_MANAGEMENT, uid: 3005, name: 'User Access Management' };
const DETECTION_FINDING: EventClass = {
  uid: 2004,
  name: 'Detection Finding',
  category: 2,
  categoryName: 'Findings',
};

/** `severity_id`, the values used here. */
const SEVERITIES = { 1: 'Informational', 2: 'Low', 3: 'Medium', 4: 'High' } as const;

/** `status_id`; 99 is what the framework has no word for, and the text ours. */
const STATUSES = { 1: 'Success', 2: 'Failure', 99: 'Interrupted' } as const;
/** `activity_id` of what the framework has no word for. */
const OTHER = 99;

/** Longest texts of an event that is too long, in characters: one after the other until it fits. */
const LENGTHS = [1024, 256, 64, 16];

type ActionRecord = Extract<ExportRecord, { source: 'actions' }>;

/** Activities of Entity Management, by the verb of the action. A verb without an entry keeps its own name. */
const ACTIVITIES: Readonly<Record<string, readonly [id: number, name: string]>> = {
  create: [1, 'Create'],
  add: [1, 'Create'],
  install: [3, 'Update'],
  change: [3, 'Update'],
  rotate: [3, 'Update'],
  plan: [3, 'Update'],
  lift: [3, 'Update'],
  revoke: [3, 'Update'],
  delete: [4, 'Delete'],
  remove: [4, 'Delete'],
};
const PRIVILEGES: Readonly<Record<string, readonly [id: number, name: string]>> = {
  grant: [1, 'Assign Privileges'],
  revoke: [2, 'Revoke Privileges'],
};

/** An administration action: Entity Management with the old value and the new; a role granted or revoked: User Access Management. */
function actionEvent(record: ActionRecord): OcsfEvent {
  const { action } = record;
  if (action.action === 'budget.alert') return budgetAlertEvent(record);
  const [thing = '', verb = ''] = action.action.split('.', 2);
  const aboutRole = thing === 'role' && PRIVILEGES[verb] !== undefined;
  const [activity, activityName] = (aboutRole ? PRIVILEGES : ACTIVITIES)[verb] ?? [99, action.action];
  const refused = verb === 'refuse';
  return {
    ...common(record, aboutRole ? USER_ACCESS_MANAGEMENT : ENTITY_MANAGEMENT, activity, activityName, refused),
    ...(aboutRole ? roleOf(record) : entityOf(record, thing)),
  };
}

function common(
  { action, position, digest }: ActionRecord,
  of: EventClass,
  activity: number,
  activityName: string,
  refused: boolean,
): OcsfEvent {
  return {
    ...baseOf({
      class: of,
      activity,
      activityName,
      severity: refused ? 2 : 1,
      status: refused ? 2 : 1,
      at: action.at,
      message: `${action.author}: ${action.action} of ${action.target}`,
      uid: action.id,
      log: 'administration_actions',
      position,
      correlation: null,
    }),
    status_code: action.action,
    actor: actorOf(action.author, null, action.component),
    unmapped: { chain_digest: digest, ...(action.shortened ? { left_out: ['values'] } : {}) },
  };
}

function entityOf({ action }: ActionRecord, thing: string): OcsfEvent {
  const entity = { name: action.target, type: thing };
  return {
    entity: { ...entity, ...optional('data', valueOf(action.oldValue)) },
    ...optional('entity_result', action.newValue && { ...entity, ...optional('data', valueOf(action.newValue)) }),
  };
}

function roleOf({ action }: ActionRecord): OcsfEvent {
  const assignment = valueOf(action.newValue) ?? valueOf(action.oldValue) ?? {};
  const role = assignment['role'];
  const project = assignment['project'];
  const subject = action.target.replace(/^subject:/, '');
  return {
    user: { name: subject, uid: subject },
    privileges: [typeof role === 'string' ? role : 'role'],
    ...optional('resource', typeof project === 'string' ? { name: project, type: 'project' } : null),
  };
}

type DetectionRecord = Extract<ExportRecord, { source: 'detections' }>;

/** What was done, in the framework's words: `action_id`, `disposition_id`, and how grave it is that it was needed. */
const RESPONSES: Readonly<Record<Detection['response'], OcsfEvent & { readonly severity: Severity }>> = {
  block: { severity: 3, action_id: 2, action: 'Denied', disposition_id: 2, disposition: 'Blocked' },
  mask: { severity: 3, action_id: 1, action: 'Allowed', disposition_id: 11, disposition: 'Corrected' },
  alert: { severity: 4, action_id: 1, action: 'Allowed', disposition_id: 19, disposition: 'Alert' },
};

/** What looked like a secret: Detection Finding. The value is nowhere in it (log-15). */
function detectionEvent({ detection, call, position }: DetectionRecord): OcsfEvent {
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

type DecisionRecord = Extract<ExportRecord, { source: 'decisions' }>;

/** A decision of the decision log: API Activity, with what the control decided (profile `security_control`). */
function decisionEvent({ decision, position, digest }: DecisionRecord): OcsfEvent {
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

type ActRecord = Extract<ExportRecord, { source: 'acts' }>;

const STATUS: Readonly<Record<AgentAct['outcome'], 1 | 2 | 99>> = {
  succeeded: 1,
  failed: 2,
  refused: 2,
  interrupted: 99,
};

/** One tool call of an agent, as its workstation reports it: API Activity of that tool. The log keeps its texts as they came. */
function actEvent({ act, position, receivedAt }: ActRecord): OcsfEvent {
  const { outcome, authorizedBy } = act;
  const [subject, session, tool] = [printable(act.subject), printable(act.session), printable(act.tool)];
  const target = { ...act.target, value: printable(act.target.value) };
  const refused = outcome === 'refused';
  return {
    ...baseOf({
      class: API_ACTIVITY,
      activity: 99,
      activityName: tool,
      severity: refused ? 2 : 1,
      status: STATUS[outcome],
      at: act.at,
      loggedAt: receivedAt,
      message: `${subject}: ${tool} on a ${target.kind} ${outcome} (by ${authorizedBy})`,
      uid: act.id,
      log: 'agent_acts',
      position,
      correlation: null,
      profiles: ['security_control'],
    }),
    status_code: outcome,
    ...optional('status_detail', act.reason && printable(act.reason)),
    ...controlOf(!refused),
    authorizations: [{ decision: refused ? 'refused' : 'granted', policy: { name: authorizedBy } }],
    actor: actorOf(subject, session, 'workstation'),
    api: { operation: tool, service: { name: 'workstation' } },
    src_endpoint: { svc_name: 'workstation' },
    resources: [{ name: target.value, type: target.kind }],
    ...optional('unmapped', act.parentSession && { parent_session: printable(act.parentSession) }),
  };
}

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

/** Spending reached a threshold of its plan: Detection Finding, so that a collector treats it as an alert (console-25). */
function budgetAlertEvent({ action, position, digest }: ActionRecord): OcsfEvent {
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

/** An event of the framework, as JSON. */
export type OcsfEvent = Readonly<Record<string, unknown>>;

/** `class_uid` and what follows from it. */
interface EventClass {
  readonly uid: number;
  readonly name: string;
  readonly category: number;
  readonly categoryName: string;
}
type Severity = keyof typeof SEVERITIES;

interface Occurrence {
  readonly class: EventClass;
  readonly activity: number;
  readonly activityName: string;
  readonly severity: Severity;
  readonly status?: keyof typeof STATUSES;
  /** ISO 8601. */
  readonly at: string;
  /** ISO 8601, where it differs: when the entry was recorded. */
  readonly loggedAt?: string;
  /** One line for people. */
  readonly message: string;
  /** Of the entry; the same entry sent twice has the same one. */
  readonly uid: string;
  /** The log of the entry and its position in it. */
  readonly log: string;
  readonly position: bigint;
  /** What entries of one call share. */
  readonly correlation: string | null;
  readonly profiles?: readonly string[];
}

/** The part that every event has: the attributes the framework requires of the base event, and the entry's identity. */
export function baseOf(occurrence: Occurrence): OcsfEvent {
  const { class: of, activity, activityName, severity, status, at, message, uid, log, position } = occurrence;
  return {
    activity_id: activity,
    activity_name: activityName,
    category_uid: of.category,
    category_name: of.categoryName,
    class_uid: of.uid,
    class_name: of.name,
    type_uid: of.uid * 100 + activity,
    type_name: `${of.name}: ${activity === OTHER ? 'Other' : activityName}`,
    time: Date.parse(at),
    severity_id: severity,
    severity: SEVERITIES[severity],
    ...(status === undefined ? {} : { status_id: status, status: STATUSES[status] }),
    message,
    metadata: {
      version: OCSF_VERSION,
      product: { name: BRAND, vendor_name: BRAND },
      uid,
      log_name: log,
      log_provider: BRAND,
      sequence: Number(position),
      ...(occurrence.loggedAt === undefined ? {} : { logged_time: Date.parse(occurrence.loggedAt) }),
      ...(occurrence.correlation === null ? {} : { correlation_uid: occurrence.correlation }),
      ...(occurrence.profiles === undefined ? {} : { profiles: occurrence.profiles }),
    },
  };
}

/** An attribute that is omitted where it has no value. */
function optional<Value>(name: string, value: Value | null | undefined): Readonly<Record<string, Value>> {
  return value === null || value === undefined || value === '' ? {} : { [name]: value };
}

/** What the control decided (profile `security_control`), where it let through or stopped whole. */
function controlOf(allowed: boolean): OcsfEvent {
  return {
    action_id: allowed ? 1 : 2,
    action: allowed ? 'Allowed' : 'Denied',
    disposition_id: allowed ? 1 : 2,
    disposition: allowed ? 'Allowed' : 'Blocked',
  };
}

/** The actor; without a known subject, the program that was used. */
export function actorOf(subject: string | null, session: string | null, program: string): OcsfEvent {
  return {
    app_name: program,
    ...optional('user', subject && { name: subject, uid: subject }),
    ...optional('session', session && { uid: session }),
  };
}

/** A value of an administration action as an object; any other value becomes the member `value`. */
function valueOf(json: string | null): Record<string, unknown> | null {
  if (json === null) return null;
  const value: unknown = JSON.parse(json);
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : { value };
}

/**
 * The event as JSON within a size limit: collectors cut longer events, and cut JSON is lost. First the values of an
 * administration action are omitted, then texts are shortened; `unmapped.left_out` lists both.
 * @param most bytes; at least 4096, so that the attributes without free text always fit.
 */
export function fittingJson(event: OcsfEvent, most: number): string {
  const whole = JSON.stringify(event);
  if (Buffer.byteLength(whole) <= most) return whole;
  const bare = leavingOut({ ...event, ...without(event, 'entity'), ...without(event, 'entity_result') }, 'values');
  let json = JSON.stringify(bare);
  for (const length of LENGTHS) {
    if (Buffer.byteLength(json) <= most) break;
    json = JSON.stringify(leavingOut(bare, 'texts'), (_name, value: unknown) =>
      typeof value === 'string' ? shorten(value, length) : value,
    );
  }
  return json;
}

/** The entity without its content. */
function without(event: OcsfEvent, name: string): OcsfEvent {
  const entity = event[name];
  if (typeof entity !== 'object' || entity === null) return {};
  return { [name]: Object.fromEntries(Object.entries(entity).filter(([member]) => member !== 'data')) };
}

function leavingOut(event: OcsfEvent, what: string): OcsfEvent {
  const unmapped = event['unmapped'];
  const members: Record<string, unknown> = typeof unmapped === 'object' && unmapped !== null ? { ...unmapped } : {};
  const before = members['left_out'];
  return {
    ...event,
    unmapped: { ...members, left_out: [...new Set([...(Array.isArray(before) ? before : []), what])] },
  };
}

/** Identifiers are shorter than any text that matters here, so 64 characters keep them whole. */
function shorten(text: string, length: number): string {
  return text.length <= Math.max(length, 64) ? text : `${text.slice(0, length).toWellFormed()}…`;
}
