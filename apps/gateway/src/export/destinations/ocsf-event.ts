import { BRAND } from '@gateway/contract';

/**
 * Version of the Open Cybersecurity Schema Framework (schema.ocsf.io) that every event keeps to: the first one in which a class
 * like API Activity may have the profile `security_control`, and a finding `is_alert`.
 */
export const OCSF_VERSION = '1.4.0';

/** An event of the framework, as JSON. */
export type OcsfEvent = Readonly<Record<string, unknown>>;

/** `class_uid` and what follows from it. */
export interface EventClass {
  readonly uid: number;
  readonly name: string;
  readonly category: number;
  readonly categoryName: string;
}

export const API_ACTIVITY: EventClass = {
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
export const USER_ACCESS_MANAGEMENT: EventClass = { ...ENTITY_MANAGEMENT, uid: 3005, name: 'User Access Management' };
export const DETECTION_FINDING: EventClass = {
  uid: 2004,
  name: 'Detection Finding',
  category: 2,
  categoryName: 'Findings',
};

/** `severity_id`, the values used here. */
export const SEVERITIES = { 1: 'Informational', 2: 'Low', 3: 'Medium', 4: 'High' } as const;
export type Severity = keyof typeof SEVERITIES;

/** `status_id`; 99 is what the framework has no word for, and the text ours. */
const STATUSES = { 1: 'Success', 2: 'Failure', 99: 'Interrupted' } as const;
/** `activity_id` of what the framework has no word for. */
const OTHER = 99;

export interface Occurrence {
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
export function optional<Value>(name: string, value: Value | null | undefined): Readonly<Record<string, Value>> {
  return value === null || value === undefined || value === '' ? {} : { [name]: value };
}

/** What the control decided (profile `security_control`), where it let through or stopped whole. */
export function controlOf(allowed: boolean): OcsfEvent {
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
export function valueOf(json: string | null): Record<string, unknown> | null {
  if (json === null) return null;
  const value: unknown = JSON.parse(json);
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : { value };
}

/** Longest texts of an event that is too long, in characters: one after the other until it fits. */
const LENGTHS = [1024, 256, 64, 16];

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
