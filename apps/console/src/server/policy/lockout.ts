import { authorize, type CompiledPolicySet, durationOf, type PolicyResource } from '@gateway/access';
import type { Permission, Role } from '@gateway/contract';
import type { Queryable } from '@gateway/database';
import { type PolicyEndpoint, readHolders } from '@gateway/database/console';

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
    const asked = resource.type === 'Endpoint' ? `/${resource.name}/v1/chat/completions` : path;
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
