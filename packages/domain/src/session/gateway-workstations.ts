import type { AgentAct, OrganizationPolicy } from '@gateway/contract';
import type { DatabaseAddress } from '@gateway/database';
import { recordSet, rowsOf } from '@gateway/database/client/answers';
import { createLink, type Link } from '@gateway/database/client/link';
import { firstSubjectOf, revokedAt } from './lineage.ts';

/** An organization's policy as served; every member is null where the organization has none. */
export interface ServedPolicy {
  readonly revision: number | null;
  readonly producedAt: Date | null;
  readonly validFrom: Date | null;
  readonly validUntil: Date | null;
  readonly policy: OrganizationPolicy | null;
}

/** What the workstation control plane reads and writes. Every function throws `DatabaseUnavailable` where there is no answer. */
export interface Workstations {
  /** @returns null for an unknown organization */
  policyOf(organization: string): Promise<ServedPolicy | null>;
  /**
   * Stores a batch in one round trip, each act once, and the first parent that it names for each of the subject's sessions.
   * @param author of the statements: the sender of the batch @returns how many acts were new
   */
  storeActs(acts: readonly AgentAct[], author: string): Promise<number>;
  /**
   * When a session or one of its ancestors was revoked; null: in force, or unknown. The query names no subject: the session of
   * the subject that first named a parent for it is meant.
   */
  sessionRevokedAt(session: string): Promise<Date | null>;
  close(): void;
}

export interface WorkstationsOptions {
  readonly address: DatabaseAddress;
  /** Milliseconds for one answer. */
  readonly budgetMs: number;
}

const { columns, objects } = recordSet({
  id: 'uuid',
  session: 'text',
  parentSession: 'text',
  subject: 'text',
  at: 'timestamptz',
  tool: 'text',
  targetKind: 'text',
  targetValue: 'text',
  authorizedBy: 'text',
  outcome: 'text',
  reason: 'text',
});

/**
 * Rows are inserted in the order of their keys, so that two gateways with the same acts wait for each other and never deadlock.
 * The parent is also stored for known acts: repeating it has no effect.
 */
const STORE = `
with given as (
  select * from rows from (${objects(1)}) with ordinality as record (${columns}, ordinal)
), added as (
  insert into agent_acts (${columns})
  select ${columns} from given order by id
  on conflict (id) do nothing returning id
), descent as (
  insert into agent_session_lineage (subject, session, parent_session, author)
  select distinct on (subject, session) subject, session, parent_session, $2::text from given
  where parent_session <> session and char_length(subject) <= 255 order by subject, session, ordinal
  on conflict do nothing
)
select count(*)::integer as stored from added`;

const STANDING = `select ${revokedAt(firstSubjectOf('$1::text'), '$1::text')} as revoked_at`;

const POLICY = `
select policy.revision, policy.document, policy.produced_at, policy.valid_from, policy.valid_until
from organizations organization
left join lateral (
  select * from organization_policies where organization_id = organization.id order by revision desc limit 1
) policy on true
where organization.slug = $1`;

export function createWorkstations({ address, budgetMs }: WorkstationsOptions): Workstations {
  const settings = { lock_timeout: 2000 };
  const writing = createLink({ address, applicationName: 'gateway workstation acts', budgetMs, settings });
  // A separate connection, so that a large batch does not delay the check whether a session may continue.
  const reading = createLink({ address, applicationName: 'gateway workstation standing', budgetMs, settings });
  const run = <Row extends object>(link: Link, text: string, ...parameters: string[]): Promise<Row[]> =>
    rowsOf<Row>(link, performance.now() + budgetMs, text, parameters);

  return {
    async policyOf(organization) {
      const [row] = await run<PolicyRow>(reading, POLICY, organization);
      return row === undefined
        ? null
        : {
            revision: row.revision,
            producedAt: row.produced_at,
            validFrom: row.valid_from,
            validUntil: row.valid_until,
            policy: row.document,
          };
    },
    async storeActs(acts, author) {
      if (acts.length === 0) return 0;
      const given = acts.map(({ target, ...act }) => ({ ...act, targetKind: target.kind, targetValue: target.value }));
      const [row] = await run<{ stored: number }>(writing, STORE, JSON.stringify(given), author);
      return row?.stored ?? 0;
    },
    async sessionRevokedAt(session) {
      const [row] = await run<{ revoked_at: Date | null }>(reading, STANDING, session);
      return row?.revoked_at ?? null;
    },
    close() {
      writing.cut();
      reading.cut();
    },
  };
}

interface PolicyRow {
  readonly revision: number | null;
  readonly document: OrganizationPolicy | null;
  readonly produced_at: Date | null;
  readonly valid_from: Date | null;
  readonly valid_until: Date | null;
}
