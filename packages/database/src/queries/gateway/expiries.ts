import { rowsOf } from '../../client/answers.ts';
import type { Link } from '../../client/link.ts';

/** A license or certificate of a gateway, and its end. */
export interface Expiry {
  readonly kind: 'license' | 'certificate';
  readonly at: Date;
}

const KEEP = `
insert into reported_expiries (kind, expires_at)
select kind, expires_at from unnest($1::text[], $2::timestamptz[]) as given (kind, expires_at)
on conflict (kind, expires_at) do update set reported_at = now() returning kind`;

/** Reports when the license and the certificate of this gateway end. @param deadline on the clock of `performance.now()` */
export async function keepExpiries(link: Link, expiries: readonly Expiry[], deadline: number): Promise<void> {
  const kinds = `{${expiries.map(({ kind }) => kind).join(',')}}`;
  const instants = `{${expiries.map(({ at }) => at.toISOString()).join(',')}}`;
  await rowsOf(link, deadline, KEEP, [kinds, instants]);
}
