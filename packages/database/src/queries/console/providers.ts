import type { Queryable } from '../../client/connect.ts';
import { all, holdsAny, whenPresent } from './conditions.ts';
import { addPosition, type Page, reading } from './pages.ts';

/** An inference engine as the console shows it (console-9). */
export interface Provider {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly baseUrl: string;
  readonly apiKeyEnv: string | null;
  readonly apiKeyHeader: string | null;
  readonly clearTextAcknowledged: boolean;
}

const columns = (sql: Queryable) => sql`
  id, slug, name, base_url as "baseUrl", api_key_env as "apiKeyEnv", api_key_header as "apiKeyHeader",
  clear_text_acknowledged as "clearTextAcknowledged"`;

/** Providers by slug. */
export function listProviders(
  sql: Queryable,
  page: Page<readonly [slug: string]> & { search?: string | undefined },
): Promise<Provider[]> {
  const { past, way } = reading(sql, 'ascending', page);
  const chosen = all(sql, [
    whenPresent(page.search ?? null, (part) => holdsAny(sql, ['slug', 'name', 'base_url'], part)),
    whenPresent(page.after, ([slug]) => sql`slug ${past} ${slug}`),
  ]);
  return addPosition<Provider>(
    sql,
    sql`
    select ${columns(sql)} from providers where ${chosen}`,
    sql`slug ${way}`,
    page,
  );
}

/** Reads one provider and keeps it from changing until the transaction ends. */
export async function lockProvider(sql: Queryable, id: string): Promise<Provider | undefined> {
  const [row] = await sql<Provider[]>`select ${columns(sql)} from providers where id = ${id} for update`;
  return row;
}

export async function insertProvider(sql: Queryable, provider: Provider): Promise<void> {
  await sql`
    insert into providers (id, slug, name, base_url, api_key_env, api_key_header, clear_text_acknowledged)
    values (${provider.id}, ${provider.slug}, ${provider.name}, ${provider.baseUrl}, ${provider.apiKeyEnv},
      ${provider.apiKeyHeader}, ${provider.clearTextAcknowledged})`;
}

export async function updateProvider(sql: Queryable, provider: Provider): Promise<void> {
  await sql`
    update providers set slug = ${provider.slug}, name = ${provider.name}, base_url = ${provider.baseUrl},
      api_key_env = ${provider.apiKeyEnv}, api_key_header = ${provider.apiKeyHeader},
      clear_text_acknowledged = ${provider.clearTextAcknowledged}
    where id = ${provider.id}`;
}

export async function deleteProvider(sql: Queryable, id: string): Promise<void> {
  await sql`delete from providers where id = ${id}`;
}
