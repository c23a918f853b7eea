import { arrayLiteral } from '../../client/array-literal.ts';
import type { Queryable } from '../../client/connect.ts';
import { all, holds, holdsAny, whenPresent } from './conditions.ts';
import { addPosition, type Page, reading } from './pages.ts';

/** An endpoint as the console shows it (console-9). */
export interface Endpoint {
  readonly id: string;
  readonly name: string;
  readonly model: string;
  readonly active: boolean;
  /** Paths that callers may use; empty: all of them. */
  readonly paths: readonly string[];
}

const columns = (sql: Queryable) => sql`id, name, model_id as model, active, paths`;

const asList = (sql: Queryable, texts: readonly string[]) => sql`${arrayLiteral(texts)}::text::text[]`;

/** Endpoints by name, of one model where it is named. A search looks at the name, and at those of model and provider. */
export function listEndpoints(
  sql: Queryable,
  page: Page<readonly [name: string]> & { model: string | null; search?: string | undefined },
): Promise<Endpoint[]> {
  const { past, way } = reading(sql, 'ascending', page);
  const chosen = all(sql, [
    whenPresent(page.model, (model) => sql`model_id = ${model}`),
    whenPresent(
      page.search ?? null,
      (part) => sql`(${holds(sql, 'name', part)} or model_id in (
        select m.id from models m join providers p on p.id = m.provider_id
        where ${holdsAny(sql, ['m.name', 'm.slug', 'p.name', 'p.slug'], part)}))`,
    ),
    whenPresent(page.after, ([name]) => sql`name ${past} ${name}`),
  ]);
  return addPosition<Endpoint>(
    sql,
    sql`
    select ${columns(sql)} from endpoints where ${chosen}`,
    sql`name ${way}`,
    page,
    'id',
    { model: sql`(select name from models where id = listed.model)` },
  );
}

export async function lockEndpoint(sql: Queryable, id: string): Promise<Endpoint | undefined> {
  const [row] = await sql<Endpoint[]>`select ${columns(sql)} from endpoints where id = ${id} for update`;
  return row;
}

export async function insertEndpoint(sql: Queryable, endpoint: Endpoint): Promise<void> {
  await sql`
    insert into endpoints (id, name, model_id, active, paths)
    values (${endpoint.id}, ${endpoint.name}, ${endpoint.model}, ${endpoint.active}, ${asList(sql, endpoint.paths)})`;
}

export async function updateEndpoint(sql: Queryable, endpoint: Endpoint): Promise<void> {
  await sql`
    update endpoints set name = ${endpoint.name}, model_id = ${endpoint.model}, active = ${endpoint.active},
      paths = ${asList(sql, endpoint.paths)}
    where id = ${endpoint.id}`;
}

export async function deleteEndpoint(sql: Queryable, id: string): Promise<void> {
  await sql`delete from endpoints where id = ${id}`;
}
