import type { OrganizationPolicy } from '@gateway/contract';
import { v7 as uuid, v7 } from 'uuid';
import { answer, rowsOf } from '../../client/answers.ts';
import type { Queryable } from '../../client/connect.ts';
import type { Revision } from '../../client/lineage.ts';
import type { Link } from '../../client/link.ts';
import { DatabaseUnavailable } from '../../client/unavailable.ts';

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

/**
 * The text of an authorization policy's revision, as installed.
 * @param deadline on the clock of `performance.now()`.
 * @throws DatabaseUnavailable also for a missing revision: the one in force must be readable.
 */
export async function readPolicyText(link: Link, { number, installedAt }: Revision, deadline: number): Promise<string> {
  const [row] = await answer(
    link,
    deadline,
    (sql) => sql<{ cedar: string }[]>`
      select cedar from authorization_policies
      where revision = ${number} and extract(epoch from installed_at) = ${installedAt}`,
  );
  if (!row) throw new DatabaseUnavailable(`authorization policy ${number} is not there`);
  return row.cedar;
}

/** Euros per token. */
export interface ModelPrices {
  readonly input: number;
  readonly cachedInput: number;
  readonly cacheWrite: number;
  readonly output: number;
}

/**
 * The prices of the current month by the id of the model, also of models that were deleted.
 * @param deadline on the clock of `performance.now()`.
 * @throws DatabaseUnavailable
 */
export async function readModelPrices(link: Link, deadline: number): Promise<ReadonlyMap<string, ModelPrices>> {
  const rows = await answer(
    link,
    deadline,
    (sql) => sql<(ModelPrices & { readonly model: string })[]>`
      select model_id as model, coalesce(per_input_token, 0)::float8 as input, coalesce(per_cached_token, 0)::float8 as "cachedInput",
        coalesce(per_write_token, 0)::float8 as "cacheWrite", coalesce(per_output_token, 0)::float8 as output
      from model_prices`,
  );
  return new Map(rows.map(({ model, ...prices }) => [model, prices]));
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

/**
 * Enters a federated identity into the registry of accounts; nothing happens where it is there, or where a local account
 * bears the name (roles-8).
 * @param deadline on the clock of `performance.now()`.
 */
export async function registerOidcIdentity(link: Link, subject: string, deadline: number): Promise<void> {
  await answer(link, deadline, (sql) => sql`select register_directory_identity(${uuid()}, ${subject})`);
}

/** `other-key`: the account exists, and the key is not one of its keys. */
type Outcome = 'made' | 'kept' | 'other-key';

/**
 * Makes the account `admin` on plan `administrator`, without a role, unless an account of that name exists (roles-9).
 * @param key SHA-256 digest and last four characters: the key itself is never sent.
 */
export async function installAdministrator(
  sql: Queryable,
  key: { readonly digest: Buffer; readonly lastFour: string },
): Promise<Outcome> {
  const [row] = await sql<{ made: boolean }[]>`
    select install_administrator(${v7()}, ${v7()}, ${v7()}, ${key.digest}, ${key.lastFour}) as made`;
  if (row?.made === true) return 'made';
  // A statement of its own: another gateway may have made the account while the first one waited for it.
  const [known] = await sql`
    select from account_keys own join accounts account on account.id = own.account_id
    where account.username = 'admin' and own.digest = ${key.digest}
      and own.revoked_at is null and (own.expires_at is null or own.expires_at > now())`;
  return known === undefined ? 'other-key' : 'kept';
}
