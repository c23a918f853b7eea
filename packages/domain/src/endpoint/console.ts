import type { Queryable } from '@gateway/database';
import { arrayLiteral } from '@gateway/database/client/array-literal';
import { all, holds, holdsAny, whenPresent } from '@gateway/database/client/conditions';
import { addPosition, MOST_REFERRING, type Page, reading } from '@gateway/database/client/pages';

/** The facts about an endpoint for an authorization policy; null for an unknown name. */
export async function readServed(
  sql: Queryable,
  endpoint: string,
): Promise<{ readonly model: string; readonly provider: string } | null> {
  const [row] = await sql<{ model: string; provider: string }[]>`
    select models.slug as model, providers.slug as provider
    from endpoints join models on models.id = endpoints.model_id join providers on providers.id = models.provider_id
    where endpoints.name = ${endpoint}`;
  return row ?? null;
}

/** An endpoint as the console shows it (console-9). */
export interface Endpoint {
  readonly id: string;
  readonly name: string;
  readonly model: string;
  /** Serves calls of which no byte could be sent to the model; null: none. */
  readonly standby: string | null;
  readonly active: boolean;
  /** Paths that callers may use; empty: all of them. */
  readonly paths: readonly string[];
}

const columns = (sql: Queryable) => sql`id, name, model_id as model, standby_model_id as standby, active, paths`;

const asList = (sql: Queryable, texts: readonly string[]) => sql`${arrayLiteral(texts)}::text::text[]`;

/** Endpoints by name, of one model or standby where it is named. A search looks at the name, and at those of models and providers. */
export function listEndpoints(
  sql: Queryable,
  page: Page<readonly [name: string]> & { model: string | null; search?: string | undefined },
): Promise<Endpoint[]> {
  const { past, way } = reading(sql, 'ascending', page);
  const chosen = all(sql, [
    whenPresent(page.model, (model) => sql`(model_id = ${model} or standby_model_id = ${model})`),
    whenPresent(
      page.search ?? null,
      (part) => sql`(${holds(sql, 'name', part)} or exists (
        select from models m join providers p on p.id = m.provider_id
        where m.id in (endpoints.model_id, endpoints.standby_model_id) and ${holdsAny(sql, ['m.name', 'm.slug', 'p.name', 'p.slug'], part)}))`,
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
    insert into endpoints (id, name, model_id, standby_model_id, active, paths)
    values (${endpoint.id}, ${endpoint.name}, ${endpoint.model}, ${endpoint.standby}, ${endpoint.active},
      ${asList(sql, endpoint.paths)})`;
}

export async function updateEndpoint(sql: Queryable, endpoint: Endpoint): Promise<void> {
  await sql`
    update endpoints set name = ${endpoint.name}, model_id = ${endpoint.model},
      standby_model_id = ${endpoint.standby}, active = ${endpoint.active}, paths = ${asList(sql, endpoint.paths)}
    where id = ${endpoint.id}`;
}

export async function deleteEndpoint(sql: Queryable, id: string): Promise<void> {
  await sql`delete from endpoints where id = ${id}`;
}

/** The first endpoints that serve a model, or have it as standby, by name. */
export async function namesOfEndpoints(sql: Queryable, model: string): Promise<readonly string[]> {
  const rows = await sql<{ name: string }[]>`
    select name from endpoints where ${model} in (model_id::text, standby_model_id::text) order by name limit ${MOST_REFERRING}`;
  return rows.map(({ name }) => name);
}
