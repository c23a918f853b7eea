import { authorize, type CompiledPolicySet, type PolicyResource } from '@gateway/access';
import type { PastDecision, PolicyEndpoint } from '@gateway/database/console';

/** Number of past decisions that a preview evaluates. */
export const LAST_DECISIONS = 1000;

interface Part {
  readonly name: string;
  readonly refused: number;
}

/** What a policy set would have refused of the last decisions. */
export interface PolicyImpact {
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
function resourceOf(resource: string, endpoints: ReadonlyMap<string, PolicyEndpoint>): PolicyResource {
  const [, kind = '', name = ''] = /^(\w+):(.*)$/s.exec(resource) ?? [];
  if (kind === 'project') return { type: 'Project', name };
  if (kind !== 'endpoint') return { type: 'Instance' };
  const { model = '', provider = '' } = endpoints.get(name) ?? {};
  return { type: 'Endpoint', name, model, provider };
}

function usualPath({ permission, resource }: PastDecision): string {
  return permission === 'inference:appeler' ? `/${resource.replace(/^endpoint:/, '')}/v1/chat/completions` : '/';
}

function isRefused(set: CompiledPolicySet, past: PastDecision, endpoints: ReadonlyMap<string, PolicyEndpoint>) {
  const { subject, roles, permission, session, sourceAddress, at } = past;
  if (past.outcome !== 'granted' || subject === null) return false;
  const resource = resourceOf(past.resource, endpoints);
  const call = { session, method: 'POST', path: usualPath(past), sourceAddress, at };
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
