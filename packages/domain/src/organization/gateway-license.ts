import { rowsOf } from '@gateway/database/client/answers';
import type { Link } from '@gateway/database/client/link';

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
