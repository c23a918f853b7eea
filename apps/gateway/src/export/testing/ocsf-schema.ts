/**
 * The part of the framework's schema (schema.ocsf.io, version 1.3.0) that the exported classes use, attribute by attribute:
 * `!` after a type means required. Objects name another entry; `[]` is a list; `any` takes whatever JSON.
 */
type Shape = Readonly<Record<string, string>>;

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
/** Profile `security_control`. */
const CONTROL: Shape = {
  action_id: 'integer!',
  action: 'string',
  disposition_id: 'integer',
  disposition: 'string',
  authorizations: 'authorization[]',
};

const CLASSES: Readonly<Record<number, { readonly shape: Shape; readonly activities: readonly number[] }>> = {
  2004: {
    activities: [0, 1, 2, 3, 99],
    shape: {
      ...BASE,
      ...CONTROL,
      finding_info: 'finding_info!',
      confidence_id: 'integer',
      confidence: 'string',
      is_alert: 'boolean',
      evidences: 'evidences[]',
      resources: 'resource_details[]',
    },
  },
  3004: {
    activities: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 99],
    shape: { ...BASE, actor: 'actor', entity: 'managed_entity!', entity_result: 'managed_entity' },
  },
  3005: {
    activities: [0, 1, 2, 99],
    shape: { ...BASE, actor: 'actor', user: 'user!', privileges: 'string[]!', resource: 'resource_details' },
  },
  6003: {
    activities: [0, 1, 2, 3, 4, 99],
    shape: {
      ...BASE,
      ...CONTROL,
      actor: 'actor!',
      api: 'api!',
      src_endpoint: 'network_endpoint!',
      resources: 'resource_details[]',
    },
  },
};

const OBJECTS: Readonly<Record<string, Shape>> = {
  metadata: {
    version: 'string!',
    product: 'product!',
    uid: 'string',
    correlation_uid: 'string',
    log_name: 'string',
    log_provider: 'string',
    sequence: 'integer',
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

/** Everything in which an event departs from the schema; none where it keeps to it. */
export function ocsfFaults(event: unknown): string[] {
  const members = event as Record<string, unknown>;
  const of = CLASSES[Number(members['class_uid'])];
  if (of === undefined) return [`class_uid ${String(members['class_uid'])} is not known`];
  const faults = shapeFaults(members, of.shape, '');
  const [klass, activity] = [Number(members['class_uid']), Number(members['activity_id'])];
  if (!of.activities.includes(activity)) faults.push(`activity_id ${activity} is none of class ${klass}`);
  if (members['type_uid'] !== klass * 100 + activity) faults.push('type_uid does not follow from class and activity');
  if (members['category_uid'] !== Math.floor(klass / 1000)) faults.push('category_uid does not follow from the class');
  return faults;
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
