import type { Queryable } from '../../../client/connect.ts';
import { all, whenPresent } from '../conditions.ts';
import { addPosition, type InstantKey, type Page, type Rows, reading } from '../pages.ts';

/** An import of accounts, with what is left of the keys that it made. */
export interface AccountImport {
  readonly id: string;
  readonly author: string;
  readonly startedAt: Date;
  readonly keys: number;
  /** Keys that are neither revoked nor expired. */
  readonly keysInForce: number;
}

/** Imports, the newest first. */
export function listAccountImports(sql: Queryable, page: Page<InstantKey>): Rows<AccountImport> {
  const { past, way } = reading(sql, 'descending', page);
  const chosen = all(sql, [
    whenPresent(page.after, ([at, id]) => sql`(started_at, id) ${past} (${at}::timestamptz, ${id}::uuid)`),
  ]);
  return addPosition(
    sql,
    sql`
    select id, author, started_at as "startedAt",
      (select count(*)::float8 from account_keys where import_id = account_imports.id) as keys,
      (select count(*)::float8 from account_keys where import_id = account_imports.id and revoked_at is null
        and (expires_at is null or expires_at > now())) as "keysInForce"
    from account_imports where ${chosen}`,
    sql`started_at ${way}, id ${way}`,
    page,
  );
}
