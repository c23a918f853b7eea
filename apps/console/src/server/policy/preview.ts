import { compilePolicySet, findMentionedNames, type MentionedName, type SoundPolicySet } from '@gateway/access';
import { matrixGrants } from '@gateway/contract';
import {
  type PolicyEndpoint,
  readKnownProjects,
  readKnownSubjects,
  readLastDecisions,
  readPolicyEndpoints,
} from '@gateway/database/console';
import type { Caller } from '../caller/caller.ts';
import type { Services } from '../services/services.ts';
import { lockoutsOf } from './lockout.ts';
import { impactOf, LAST_DECISIONS, type PolicyImpact } from './past.ts';

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

/** Names of people in the log are only for callers who may read it (console-1). */
const mayReadLog = (caller: Caller): boolean =>
  caller.kind === 'shared-pair' ||
  matrixGrants(
    caller.roles.map(({ role }) => role),
    'journal:lire',
  );

async function unknownNames(
  { database }: Pick<Services, 'database'>,
  names: readonly MentionedName[],
  endpoints: readonly PolicyEndpoint[],
): Promise<PlacedWarning[]> {
  const of = (type: string) => names.filter((name) => name.type === type).map(({ id }) => id);
  const known: Readonly<Record<string, readonly string[]>> = {
    Endpoint: endpoints.map(({ name }) => name),
    Subject: await readKnownSubjects(database, of('Subject')),
    Project: await readKnownProjects(database, of('Project')),
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
 */
export async function previewOf(
  services: Pick<Services, 'database'>,
  { caller, sourceAddress }: { readonly caller: Caller; readonly sourceAddress: string | null },
  cedar: string,
  sound: SoundPolicySet,
): Promise<PolicyPreview> {
  const { database } = services;
  const set = compilePolicySet(cedar);
  const names = findMentionedNames(sound.policies);
  const [endpoints, past] = await Promise.all([
    readPolicyEndpoints(database),
    readLastDecisions(database, LAST_DECISIONS),
  ]);
  const addresses = new Set([sourceAddress, ...past.map((one) => one.sourceAddress)].filter((one) => one !== null));
  const lockouts = await lockoutsOf(database, set, {
    endpoints,
    addresses: addresses.size === 0 ? [null] : [...addresses].slice(0, MOST_ADDRESSES + 1),
    named: names.filter(({ type }) => type === 'Subject').map(({ id }) => id),
    at: new Date(),
  });
  return {
    warnings: [...sound.warnings, ...(await unknownNames(services, names, endpoints))].map(
      ({ line, column, message }) => ({ line, column, message }),
    ),
    lockouts,
    impact: impactOf(set, past, endpoints, mayReadLog(caller)),
  };
}
