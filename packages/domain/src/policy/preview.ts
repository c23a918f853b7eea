import {
  authorize,
  type CompiledPolicySet,
  compilePolicySet,
  durationOf,
  findMentionedNames,
  type MentionedName,
  type PolicyResource,
  type SoundPolicySet,
} from '@gateway/access';
import type { Permission, Role } from '@gateway/contract';
import type { Queryable } from '@gateway/database';
import { usualPath } from '../endpoint/paths.ts';
import {
  type PastDecision,
  type PolicyEndpoint,
  readHolders,
  readKnownProjects,
  readKnownSubjects,
  readLastDecisions,
  readPolicyEndpoints,
} from './console.ts';

/** Holders of a role, endpoints and times that are tried before the result is that all are locked out. */
const MOST_HOLDERS = 20;
const MOST_ENDPOINTS = 20;
const MOST_TIMES = 16;

interface Door {
  readonly role: Role;
  readonly permission: Permission;
  readonly method: string;
  readonly path: string;
  readonly closed: string;
}

const UNDONE = 'Only "gatewayctl policy lift", or the shared pair of a hosted console, could undo it.';

/** What must stay open to at least one subject. */
const DOORS: readonly Door[] = [
  {
    role: 'utilisateur-standard',
    permission: 'inference:appeler',
    method: 'POST',
    path: '',
    closed: 'Nobody could call any endpoint.',
  },
  {
    role: 'administrateur-d-instance',
    permission: 'console:administrer-l-instance',
    method: 'GET',
    path: '/',
    closed: `No administrator could open the console. ${UNDONE}`,
  },
  {
    role: 'administrateur-d-instance',
    permission: 'politique:administrer',
    method: 'POST',
    path: '/api/policies/lift',
    closed: `No administrator could install another policy or lift this one. ${UNDONE}`,
  },
  {
    role: 'auditeur',
    permission: 'console:auditer',
    method: 'GET',
    path: '/audit',
    closed: "No auditor could open the auditors' surface.",
  },
];

/** A subject that no rule names: the rule for all others. */
const ANYBODY = 'anybody else';

function resourcesOf(permission: Permission, endpoints: readonly PolicyEndpoint[]): readonly PolicyResource[] {
  if (permission !== 'inference:appeler') return [{ type: 'Instance' }];
  const active = endpoints.filter((one) => one.active).slice(0, MOST_ENDPOINTS);
  if (active.length === 0) return [{ type: 'Endpoint', name: 'endpoint', model: '', provider: '' }];
  return active.map(({ name, model, provider }) => ({ type: 'Endpoint', name, model, provider }));
}

/** Attributes of the request that are tried in addition to the door. */
export interface Probes {
  readonly endpoints: readonly PolicyEndpoint[];
  readonly addresses: readonly (string | null)[];
  /** Subjects that the text names: those that it excepts are tried first. */
  readonly named: readonly string[];
  readonly at: Date;
}

const DAY = 24 * 3_600_000;
const SIX_HOURS = DAY / 4;
const DURATION = /\bduration\s*\(\s*"([^"]*)"/g;

/**
 * Now, and within the next day where the text looks at the time: hours of work lock nobody out at night. Times of day that the
 * text names are tried with their neighbours, because the open hours begin or end there.
 */
function timesOf(set: CompiledPolicySet, at: Date): readonly Date[] {
  const looksAt = set.flatMap(({ needs }) => [...needs.context]);
  if (!looksAt.some((name) => ['time', '*'].includes(name))) return [at];
  const now = at.getTime();
  const named = set
    .flatMap(({ text }) => [...text.matchAll(DURATION)].map(([, written = '']) => durationOf(written)))
    .flatMap((moment) => (moment !== null && 'duration' in moment ? moment.duration : []))
    .flatMap((duration) => [duration - 1, duration, duration + 1])
    .map((duration) => now + ((((duration - now) % DAY) + DAY) % DAY));
  const times = new Set([...[0, 1, 2, 3].map((step) => now + step * SIX_HOURS), ...named]);
  return [...times].slice(0, MOST_TIMES).map((time) => new Date(time));
}

/** Reports who would be locked out under all circumstances; nothing if somebody can pass every door. */
export async function lockoutsOf(sql: Queryable, set: CompiledPolicySet, probes: Probes): Promise<readonly string[]> {
  const closed: string[] = [];
  const times = timesOf(set, probes.at);
  for (const door of DOORS) {
    const holders = await readHolders(sql, door.role, probes.named, MOST_HOLDERS);
    const people = holders.length > 0 ? holders : [{ subject: ANYBODY, roles: [door.role] }];
    if (!people.some((person) => passes(set, door, person, probes, times))) closed.push(door.closed);
  }
  return closed;
}

function passes(
  set: CompiledPolicySet,
  { permission, method, path }: Door,
  person: { readonly subject: string; readonly roles: readonly Role[] },
  { endpoints, addresses }: Probes,
  times: readonly Date[],
): boolean {
  return resourcesOf(permission, endpoints).some((resource) => {
    const asked = resource.type === 'Endpoint' ? usualPath(resource.name) : path;
    return addresses.some((sourceAddress) =>
      [null, 'session'].some((session) =>
        times.some((at) => {
          const call = { session, method, path: asked, sourceAddress, at };
          return authorize({ ...person, permission, resource, call }, set).granted;
        }),
      ),
    );
  });
}

/** Number of past decisions that a preview evaluates. */
const LAST_DECISIONS = 1000;

interface Part {
  readonly name: string;
  readonly refused: number;
}

/** What a policy set would have refused of the last decisions. */
interface PolicyImpact {
  /** How many decisions were looked at; those refused anyway are among them. */
  readonly examined: number;
  /** Granted then, refused by this text. */
  readonly refused: number;
  readonly endpoints: readonly Part[];
  readonly roles: readonly Part[];
  /** Names of people; null for a reader without the right to read the log. */
  readonly subjects: readonly Part[] | null;
  /** The log contains neither method nor path: a text that uses them is evaluated with the usual ones. */
  readonly estimated: boolean;
}

/** What the log calls `endpoint:<name>`, `project:<name>`, `command:<interpreter>` or `instance`, as a policy asks for it. */
function resourceOf(
  { resource, reason }: PastDecision,
  endpoints: ReadonlyMap<string, PolicyEndpoint>,
): PolicyResource {
  const [, kind = '', name = ''] = /^(\w+):(.*)$/s.exec(resource) ?? [];
  if (kind === 'project') return { type: 'Project', name };
  if (kind !== 'endpoint') return { type: 'Instance' };
  const endpoint = endpoints.get(name);
  const { model = '', provider = '' } = (reason === 'standby' ? endpoint?.standby : endpoint) ?? {};
  return { type: 'Endpoint', name, model, provider };
}

function pathOf({ permission, resource }: PastDecision): string {
  return permission === 'inference:appeler' ? usualPath(resource.replace(/^endpoint:/, '')) : '/';
}

function isRefused(set: CompiledPolicySet, past: PastDecision, endpoints: ReadonlyMap<string, PolicyEndpoint>) {
  const { subject, roles, permission, session, sourceAddress, at } = past;
  if (past.outcome !== 'granted' || subject === null) return false;
  const resource = resourceOf(past, endpoints);
  const call = { session, method: 'POST', path: pathOf(past), sourceAddress, at };
  const decision = authorize({ subject, roles, permission, resource, call }, set);
  // Role assignments of that time count. A subject without a role in its entry was granted by a right that the log does not
  // record.
  return !decision.granted && decision.reason !== 'role-missing';
}

function countNames(names: readonly string[]): Part[] {
  const parts = new Map<string, number>();
  for (const name of names) parts.set(name, (parts.get(name) ?? 0) + 1);
  return [...parts]
    .map(([name, refused]) => ({ name, refused }))
    .toSorted((one, other) => other.refused - one.refused || (one.name < other.name ? -1 : 1));
}

/** @param names whether the reader may read the names of people in the log */
export function impactOf(
  set: CompiledPolicySet,
  past: readonly PastDecision[],
  endpoints: readonly PolicyEndpoint[],
  names: boolean,
): PolicyImpact {
  const known = new Map(endpoints.map((endpoint) => [endpoint.name, endpoint]));
  const refused = past.filter((decision) => isRefused(set, decision, known));
  const looksAt = set.flatMap(({ needs }) => [...needs.context]);
  return {
    examined: past.length,
    refused: refused.length,
    endpoints: countNames(refused.map(({ resource }) => resource)),
    roles: countNames(refused.flatMap(({ roles }) => roles)),
    subjects: names ? countNames(refused.map(({ subject }) => subject ?? '')).slice(0, 20) : null,
    estimated: looksAt.some((name) => ['method', 'path', '*'].includes(name)),
  };
}

/** Something about a policy that stops no installation, and where. */
interface PlacedWarning {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** What installing a sound text would bring about. */
export interface PolicyPreview {
  readonly warnings: readonly PlacedWarning[];
  /** Subjects that would be locked out, one sentence each. */
  readonly lockouts: readonly string[];
  readonly impact: PolicyImpact;
}

/** Source addresses of the past that are tried, in addition to the caller's own. */
const MOST_ADDRESSES = 3;

async function unknownNames(
  sql: Queryable,
  names: readonly MentionedName[],
  endpoints: readonly PolicyEndpoint[],
): Promise<PlacedWarning[]> {
  const of = (type: string) => names.filter((name) => name.type === type).map(({ id }) => id);
  const known: Readonly<Record<string, readonly string[]>> = {
    Endpoint: endpoints.map(({ name }) => name),
    Subject: await readKnownSubjects(sql, of('Subject')),
    Project: await readKnownProjects(sql, of('Project')),
  };
  const sentences: Readonly<Record<string, string>> = {
    Endpoint: 'no endpoint has this name',
    Subject: 'no account, role or project names this subject; a subject of the identity provider may still be unseen',
    Project: 'no project has this name',
  };
  return names
    .filter(({ type, id }) => known[type]?.includes(id) === false)
    .map(({ type, id, line, column }) => ({
      line,
      column,
      message: `${type} ${JSON.stringify(id)}: ${sentences[type]}`,
    }));
}

/**
 * Previews the policy: names that do not exist, subjects that would be locked out, and past calls that would have been refused.
 * @param reader its address, and whether it may read the names of people in the log
 */
export async function previewOf(
  sql: Queryable,
  { sourceAddress, names: showsPeople }: { readonly sourceAddress: string | null; readonly names: boolean },
  cedar: string,
  sound: SoundPolicySet,
): Promise<PolicyPreview> {
  const set = compilePolicySet(cedar);
  const names = findMentionedNames(sound.policies);
  const [endpoints, past] = await Promise.all([readPolicyEndpoints(sql), readLastDecisions(sql, LAST_DECISIONS)]);
  const addresses = new Set([sourceAddress, ...past.map((one) => one.sourceAddress)].filter((one) => one !== null));
  const lockouts = await lockoutsOf(sql, set, {
    endpoints,
    addresses: addresses.size === 0 ? [null] : [...addresses].slice(0, MOST_ADDRESSES + 1),
    named: names.filter(({ type }) => type === 'Subject').map(({ id }) => id),
    at: new Date(),
  });
  return {
    warnings: [...sound.warnings, ...(await unknownNames(sql, names, endpoints))].map(({ line, column, message }) => ({
      line,
      column,
      message,
    })),
    lockouts,
    impact: impactOf(set, past, endpoints, showsPeople),
  };
}
