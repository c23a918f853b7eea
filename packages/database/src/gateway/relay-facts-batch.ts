import { isRole } from '@gateway/contract';
import { arrayLiteral, byteaLiteral } from './array-literal.ts';
import type { AccountFacts, BillingFacts, EndpointFacts, RelayFacts, RelayQuestion } from './relay-facts-types.ts';

/** A row of the statement: kind, place in the asked list (from 1), then what the kind says. */
export type FactRow = readonly (string | null)[];

/** Distinct values in the order they were first asked, and how to find one again. */
function distinct(values: readonly (string | null)[]): Map<string, number> {
  const places = new Map<string, number>();
  for (const value of values) {
    if (value !== null && !places.has(value)) places.set(value, places.size + 1);
  }
  return places;
}

/** What cannot be kept in a text column (NUL) names nothing either: it is asked for as the empty name. */
function asked(text: string): string {
  return text.includes('\0') ? '' : text.toWellFormed();
}

/** The questions of a batch, each thing asked once. */
export interface FactsBatch {
  readonly parameters: readonly (string | null)[];
  /** The facts of each question, from the statement's rows. */
  facts(rows: readonly FactRow[], billing: 'read' | 'unavailable' | 'none'): RelayFacts[];
}

interface Identity {
  readonly account: AccountFacts | null;
  readonly subjectRevoked: boolean;
  readonly roles: RelayFacts['roles'];
  readonly billing: BillingFacts;
}

const NOBODY: Identity = {
  account: null,
  subjectRevoked: false,
  roles: [],
  billing: { plan: false, capReached: false },
};

function identityOf(row: FactRow): Identity {
  const [, , id, username, origin, enabled, keyId, keyRevoked, subjectRevoked, roles, plan, capReached] = row;
  const key = keyId ? { id: keyId, revoked: keyRevoked === 'true' } : null;
  return {
    account:
      id && username
        ? { id, username, origin: origin === 'directory' ? 'directory' : 'local', enabled: enabled === 'true', key }
        : null,
    subjectRevoked: subjectRevoked === 'true',
    roles: roles ? roles.split(',').filter(isRole) : [],
    billing: { plan: plan === 'true', capReached: capReached === 'true' },
  };
}

function endpointOf(row: FactRow): EndpointFacts {
  const [, , name, active, modelId, modelSlug, id, slug, baseUrl, apiKeyEnv, apiKeyHeader] = row as string[];
  return {
    name: name ?? '',
    active: active === 'true',
    modelId: modelId ?? '',
    modelSlug: modelSlug ?? '',
    provider: {
      id: id ?? '',
      slug: slug ?? '',
      baseUrl: baseUrl ?? '',
      apiKeyEnv: apiKeyEnv ?? null,
      apiKeyHeader: apiKeyHeader ?? null,
    },
  };
}

function numberOf(text: string | null | undefined): number | null {
  return text == null ? null : Number(text);
}

export function factsBatch(questions: readonly RelayQuestion[], organization: string | null): FactsBatch {
  const digestOf = ({ identity }: RelayQuestion) => (identity.kind === 'key' ? byteaLiteral(identity.digest) : null);
  const subjectOf = ({ identity }: RelayQuestion) => (identity.kind === 'directory' ? asked(identity.subject) : null);
  const endpointName = ({ endpoint }: RelayQuestion) => asked(endpoint);
  const sessionOf = ({ session }: RelayQuestion) => (session === null ? null : asked(session));
  const lists = {
    key: distinct(questions.map(digestOf)),
    directory: distinct(questions.map(subjectOf)),
    endpoint: distinct(questions.map(endpointName)),
    session: distinct(questions.map(sessionOf)),
  };
  return {
    parameters: [...Object.values(lists).map((list) => arrayLiteral([...list.keys()])), organization],
    facts(rows, billing) {
      const found = new Map(rows.map((row) => [`${row[0]} ${row[1]}`, row]));
      const row = (kind: keyof typeof lists, value: string | null) =>
        value === null ? undefined : found.get(`${kind} ${lists[kind].get(value)}`);
      const force = found.get('force 1') ?? [];
      return questions.map((question) => {
        const identityRow = row('key', digestOf(question)) ?? row('directory', subjectOf(question));
        const { billing: plan, ...identity } = identityRow ? identityOf(identityRow) : NOBODY;
        const endpointRow = row('endpoint', endpointName(question));
        const revokedAt = numberOf(row('session', sessionOf(question))?.[2]);
        return {
          ...identity,
          sessionRevokedAt: revokedAt === null ? null : new Date(Math.floor(revokedAt)),
          endpoint: endpointRow ? endpointOf(endpointRow) : null,
          policyRevision: numberOf(force[2]),
          organizationPolicyRevision: numberOf(force[3]),
          billing: billing === 'read' ? plan : billing === 'unavailable' ? 'unavailable' : null,
        };
      });
    },
  };
}
