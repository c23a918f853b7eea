import type { OrganizationPolicy, Revision } from '@gateway/contract';
import { DatabaseUnavailable } from '@gateway/database';
import { answer, rowsOf } from '@gateway/database/client/answers';
import type { Link } from '@gateway/database/client/link';

/** A revision of an organization's policy, and its validity. */
export interface OrganizationPolicyRevision {
  readonly policy: OrganizationPolicy;
  readonly validFrom: Date | null;
  readonly validUntil: Date | null;
}

interface Row {
  readonly document: OrganizationPolicy;
  readonly valid_from: Date | null;
  readonly valid_until: Date | null;
}

/**
 * The policy of an organization as one of its revisions states it.
 * @param deadline on the clock of `performance.now()`.
 * @throws DatabaseUnavailable also where the revision is not there: what is in force must be readable.
 */
export async function readOrganizationPolicy(
  link: Link,
  organization: string,
  { number, installedAt }: Revision,
  deadline: number,
): Promise<OrganizationPolicyRevision> {
  const [row] = await answer(
    link,
    deadline,
    (sql) => sql<Row[]>`
      select policy.document, policy.valid_from, policy.valid_until
      from organizations organization
      join organization_policies policy on policy.organization_id = organization.id
      where organization.slug = ${organization} and policy.revision = ${number}
        and extract(epoch from policy.produced_at) = ${installedAt}`,
  );
  if (!row) throw new DatabaseUnavailable(`policy ${number} of organization ${organization} is not there`);
  return { policy: row.document, validFrom: row.valid_from, validUntil: row.valid_until };
}

/** A subject's seat in the running month: it has one, one is left, or none is left. */
export interface SeatStanding {
  readonly kind: 'held' | 'free' | 'full';
  /** Milliseconds until the next UTC calendar month, by the database's clock, when all seats are free again. */
  readonly monthLeftMs: number;
}

export interface LicenseSeats {
  /** @param seats of the license; null: as many as there are subjects. @param deadline on the clock of `performance.now()`. */
  readonly standing: (subject: string, seats: number | null, deadline: number) => Promise<SeatStanding>;
  /**
   * Takes a seat for a subject, or finds that it has one (roles-21). Never admits more than `seats`, with any number of
   * concurrent gateways.
   * @throws DatabaseUnavailable
   */
  readonly claim: (subject: string, seats: number | null, deadline: number) => Promise<boolean>;
}

/** A claim that lost the race for a number tries the next; another subject took a seat each time, so it ends. */
const CLAIM = `
insert into license_seats (month, seat, subject)
select this.month, coalesce(max(taken.seat), 0) + 1, $1
from (select date_trunc('month', now() at time zone 'UTC')::date as month) this
left join license_seats taken on taken.month = this.month
group by this.month
having $2::bigint is null or coalesce(max(taken.seat), 0) < $2::bigint
on conflict do nothing
returning seat`;

const STANDING = `
select
  exists (select from license_seats held where held.month = this.month and held.subject = $1) as held,
  coalesce((select max(taken.seat) from license_seats taken where taken.month = this.month), 0) as taken,
  extract(epoch from ((this.month + interval '1 month') at time zone 'UTC') - now()) * 1000 as left_ms
from (select date_trunc('month', now() at time zone 'UTC')::date as month) this`;

interface StandingRow {
  readonly held: boolean;
  readonly taken: number;
  readonly left_ms: string;
}

export function createLicenseSeats(link: Link): LicenseSeats {
  async function standing(subject: string, seats: number | null, deadline: number): Promise<SeatStanding> {
    const [row] = await rowsOf<StandingRow>(link, deadline, STANDING, [subject]);
    const { held, taken, left_ms } = row as StandingRow;
    const kind = held ? 'held' : seats === null || taken < seats ? 'free' : 'full';
    return { kind, monthLeftMs: Number(left_ms) };
  }

  return {
    standing,
    async claim(subject, seats, deadline) {
      for (;;) {
        const claimed = await rowsOf(link, deadline, CLAIM, [subject, seats]);
        if (claimed.length > 0) return true;
        const { kind } = await standing(subject, seats, deadline);
        if (kind !== 'free') return kind === 'held';
      }
    },
  };
}

/** A license or certificate of a gateway, and its end. */
export interface Expiry {
  readonly kind: 'license' | 'certificate';
  readonly at: Date;
}

const EXPIRY_KEEP = `
insert into reported_expiries (kind, expires_at)
select kind, expires_at from unnest($1::text[], $2::timestamptz[]) as given (kind, expires_at)
on conflict (kind, expires_at) do update set reported_at = now() returning kind`;

/** Reports when the license and the certificate of this gateway end. @param deadline on the clock of `performance.now()` */
export async function keepExpiries(link: Link, expiries: readonly Expiry[], deadline: number): Promise<void> {
  const kinds = `{${expiries.map(({ kind }) => kind).join(',')}}`;
  const instants = `{${expiries.map(({ at }) => at.toISOString()).join(',')}}`;
  await rowsOf(link, deadline, EXPIRY_KEEP, [kinds, instants]);
}
