/**
 * The part of the framework's schema (schema.ocsf.io, version 1.4.0) that the exported classes use, attribute by attribute:
 * `!` after a type means required. Objects name another entry; `[]` is a list; `any` allows any JSON.
 */
type Shape = Readonly<Record<string, string>>;
const VERSION = '1.4.0';

const BASE: Shape = {
  activity_id: 'integer!',
  activity_name: 'string',
  category_uid: 'integer!',
  category_name: 'string',
  class_uid: 'integer!',
  class_name: 'string',
  type_uid: 'integer!',
  type_name: 'string',
  time: 'timestamp!',
  severity_id: 'integer!',
  severity: 'string',
  status_id: 'integer',
  status: 'string',
  status_code: 'string',
  status_detail: 'string',
  message: 'string',
  metadata: 'metadata!',
  unmapped: 'any',
};
/** Profile `security_control`, which every class has since 1.4.0; where an event names it. */
const CONTROL: Shape = {
  action_id: 'integer',
  action: 'string',
  disposition_id: 'integer',
  disposition: 'string',
  authorizations: 'authorization[]',
  confidence_id: 'integer',
  confidence: 'string',
  is_alert: 'boolean',
};

/** Captions by the value of an enumeration; every one has 0 (unknown) and 99 (other) besides. */
type Captions = Readonly<Record<number, string>>;

interface EventClass {
  readonly caption: string;
  readonly shape: Shape;
  readonly activities: Captions;
  readonly statuses?: Captions;
}

const CLASSES: Readonly<Record<number, EventClass>> = {
  2004: {
    caption: 'Detection Finding',
    activities: { 1: 'Create', 2: 'Update', 3: 'Close' },
    statuses: { 1: 'New', 2: 'In Progress', 3: 'Suppressed', 4: 'Resolved', 5: 'Archived' },
    shape: {
      ...BASE,
      finding_info: 'finding_info!',
      evidences: 'evidences[]',
      resources: 'resource_details[]',
    },
  },
  3004: {
    caption: 'Entity Management',
    activities: { 1: 'Create', 2: 'Read', 3: 'Update', 4: 'Delete', 5: 'Move', 8: 'Enable', 9: 'Disable' },
    shape: { ...BASE, actor: 'actor', entity: 'managed_entity!', entity_result: 'managed_entity' },
  },
  3005: {
    caption: 'User Access Management',
    activities: { 1: 'Assign Privileges', 2: 'Revoke Privileges' },
    shape: { ...BASE, actor: 'actor', user: 'user!', privileges: 'string[]!', resource: 'resource_details' },
  },
  6003: {
    caption: 'API Activity',
    activities: { 1: 'Create', 2: 'Read', 3: 'Update', 4: 'Delete' },
    shape: {
      ...BASE,
      actor: 'actor!',
      api: 'api!',
      src_endpoint: 'network_endpoint!',
      resources: 'resource_details[]',
    },
  },
};

const CATEGORIES: Captions = { 2: 'Findings', 3: 'Identity & Access Management', 6: 'Application Activity' };
const STATUSES: Captions = { 1: 'Success', 2: 'Failure' };
const SEVERITIES: Captions = { 1: 'Informational', 2: 'Low', 3: 'Medium', 4: 'High', 5: 'Critical', 6: 'Fatal' };
const ACTIONS: Captions = { 1: 'Allowed', 2: 'Denied', 3: 'Observed', 4: 'Modified' };
const DISPOSITIONS: Captions = { 1: 'Allowed', 2: 'Blocked', 11: 'Corrected', 15: 'Detected', 19: 'Alert' };
const CONFIDENCES: Captions = { 1: 'Low', 2: 'Medium', 3: 'High' };

const OBJECTS: Readonly<Record<string, Shape>> = {
  metadata: {
    version: 'string!',
    product: 'product!',
    uid: 'string',
    correlation_uid: 'string',
    log_name: 'string',
    log_provider: 'string',
    sequence: 'integer',
    logged_time: 'timestamp',
    profiles: 'string[]',
  },
  product: { name: 'string', vendor_name: 'string!' },
  authorization: { decision: 'string', policy: 'policy' },
  policy: { name: 'string', version: 'string', uid: 'string' },
  actor: { app_name: 'string', user: 'user', session: 'session' },
  user: { name: 'string', uid: 'string' },
  session: { uid: 'string' },
  api: { operation: 'string!', service: 'service', request: 'request', response: 'response' },
  service: { name: 'string' },
  request: { uid: 'string!' },
  response: { code: 'integer', message: 'string' },
  network_endpoint: { ip: 'string', svc_name: 'string' },
  resource_details: { name: 'string', type: 'string', uid: 'string' },
  managed_entity: { name: 'string', type: 'string', data: 'any' },
  finding_info: {
    uid: 'string!',
    title: 'string!',
    types: 'string[]',
    created_time: 'timestamp',
    analytic: 'analytic',
    related_events: 'related_event[]',
  },
  analytic: { name: 'string', uid: 'string', type_id: 'integer!', type: 'string' },
  related_event: { uid: 'string!', type_uid: 'integer' },
  evidences: { actor: 'actor', src_endpoint: 'network_endpoint', data: 'any' },
};

/** Constraints `at_least_one`. */
const ONE_OF: Readonly<Record<string, readonly string[]>> = {
  actor: ['app_name', 'user', 'session'],
  user: ['name', 'uid'],
  network_endpoint: ['ip', 'svc_name'],
  managed_entity: ['name', 'uid'],
  evidences: ['actor', 'src_endpoint', 'data'],
};

const SIMPLE: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string' && value !== '',
  integer: Number.isSafeInteger,
  boolean: (value) => typeof value === 'boolean',
  timestamp: (value) => Number.isSafeInteger(value) && Number(value) > Date.UTC(2000),
  any: () => true,
};

/** Every violation of the schema by an event; empty for a valid one. */
export function ocsfFaults(event: unknown): string[] {
  const members = event as Record<string, unknown>;
  const [klass, activity] = [Number(members['class_uid']), Number(members['activity_id'])];
  const of = CLASSES[klass];
  if (of === undefined) return [`class_uid ${String(members['class_uid'])} is not known`];
  const { version, profiles } = (members['metadata'] ?? {}) as { version?: string; profiles?: string[] };
  const shape = profiles?.includes('security_control') === true ? { ...of.shape, ...CONTROL } : of.shape;
  const faults = [...shapeFaults(members, shape, ''), ...captionFaults(members, of)];
  if (version !== VERSION) faults.push(`/metadata/version is not ${VERSION}`);
  if (members['class_name'] !== of.caption) faults.push('class_name is not the caption of the class');
  if (members['type_uid'] !== klass * 100 + activity) faults.push('type_uid does not follow from class and activity');
  if (members['type_name'] !== `${of.caption}: ${of.activities[activity] ?? 'Other'}`)
    faults.push('type_name is not the caption of type_uid');
  if (members['category_uid'] !== Math.floor(klass / 1000)) faults.push('category_uid does not follow from the class');
  return faults;
}

/** An enumeration and its text: its caption, and the source's name where the value is 99. */
function captionFaults(members: Readonly<Record<string, unknown>>, { activities, statuses }: EventClass): string[] {
  const pairs: readonly (readonly [id: string, text: string, captions: Captions])[] = [
    ['category_uid', 'category_name', CATEGORIES],
    ['activity_id', 'activity_name', activities],
    ['severity_id', 'severity', SEVERITIES],
    ['status_id', 'status', statuses ?? STATUSES],
    ['action_id', 'action', ACTIONS],
    ['disposition_id', 'disposition', DISPOSITIONS],
    ['confidence_id', 'confidence', CONFIDENCES],
  ];
  return pairs.flatMap(([id, text, captions]) => {
    const [value, said] = [members[id] as number | undefined, members[text]];
    if (value === undefined) return [];
    if (value === 99) return said === undefined || said === 'Other' ? [`${text} does not say what is meant by 99`] : [];
    return captions[value] === said ? [] : [`${text} is not the caption of ${id} ${value}`];
  });
}

function shapeFaults(value: unknown, shape: Shape, at: string): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [`${at} is no object`];
  const members: Readonly<Record<string, unknown>> = { ...value };
  const strangers = Object.keys(members).filter((name) => shape[name] === undefined);
  const faults = strangers.map((name) => `${at}/${name} is not in the schema`);
  for (const [name, type] of Object.entries(shape)) {
    if (members[name] !== undefined) faults.push(...typeFaults(members[name], type.replace('!', ''), `${at}/${name}`));
    else if (type.endsWith('!')) faults.push(`${at}/${name} is required`);
  }
  return faults;
}

function typeFaults(value: unknown, type: string, at: string): string[] {
  if (type.endsWith('[]')) {
    if (!Array.isArray(value)) return [`${at} is no list`];
    return value.flatMap((one, index) => typeFaults(one, type.slice(0, -2), `${at}/${index}`));
  }
  const simple = SIMPLE[type];
  if (simple !== undefined) return simple(value) ? [] : [`${at} is no ${type}`];
  const faults = shapeFaults(value, OBJECTS[type] ?? {}, at);
  const needed = ONE_OF[type];
  if (needed?.every((name) => (value as Record<string, unknown>)[name] === undefined))
    faults.push(`${at} has none of ${needed.join(', ')}`);
  return faults;
}
