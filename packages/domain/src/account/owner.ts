import type { Queryable } from '@gateway/database';

export interface AccountEntry {
  readonly username: string;
  readonly origin: 'local' | 'directory';
  readonly enabled: boolean;
  /** Slug of the plan; null where none is attached. */
  readonly plan: string | null;
  readonly displayName: string | null;
  readonly email: string | null;
  readonly createdAt: string;
  /** The keys in force, each by its last four characters. */
  readonly keys: readonly {
    readonly label: string;
    readonly lastFour: string;
    readonly createdAt: string;
    readonly expiresAt: string | null;
  }[];
}

const isoText = (sql: Queryable, column: 'created_at' | 'expires_at') =>
  sql`to_char(${sql(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

export async function listAccounts(sql: Queryable): Promise<readonly AccountEntry[]> {
  const rows = await sql<(Omit<AccountEntry, 'createdAt'> & { createdAt: Date })[]>`
    select username, origin, enabled, display_name as "displayName", email, account.created_at as "createdAt",
      (select slug from plans where id = account.plan_id) as plan,
      coalesce((select json_agg(json_build_object('label', label, 'lastFour', last_four,
          'createdAt', ${isoText(sql, 'created_at')}, 'expiresAt', ${isoText(sql, 'expires_at')}) order by created_at)
        from account_keys where account_id = account.id and revoked_at is null and (expires_at is null or expires_at > now())), '[]') as keys
    from accounts account order by username`;
  return rows.map((row) => ({ ...row, createdAt: row.createdAt.toISOString() }));
}

/** The id of a plan; undefined where there is no plan with this slug. */
export async function readPlanId(sql: Queryable, slug: string): Promise<string | undefined> {
  const [plan] = await sql<{ id: string }[]>`select id from plans where slug = ${slug}`;
  return plan?.id;
}
