import type { Queryable } from '@gateway/database';
import type { Declared } from '@gateway/database/audit-log/act';
import { arrayLiteral } from '@gateway/database/client/array-literal';
import { all, holds, holdsAny, whenPresent } from '@gateway/database/client/conditions';
import { addPosition, MOST_REFERRING, type Page, reading } from '@gateway/database/client/pages';

/** What an authorization policy may look at of an endpoint: slugs of its model and provider, and of its standby. */
export interface Served {
  readonly model: string;
  readonly provider: string;
  readonly standby: { readonly model: string; readonly provider: string } | null;
}

/** A query of every endpoint as `Served`. */
export const everyServed = (sql: Queryable) => sql`
  select endpoints.name, endpoints.active, models.slug as model, providers.slug as provider, case when standby.id is not null
    then json_build_object('model', standby.slug, 'provider', standby_provider.slug) end as standby
  from endpoints join models on models.id = endpoints.model_id join providers on providers.id = models.provider_id
    left join models standby on standby.id = endpoints.standby_model_id
    left join providers standby_provider on standby_provider.id = standby.provider_id`;

/** The facts about an endpoint for an authorization policy; null for an unknown name. */
export async function readServed(sql: Queryable, endpoint: string): Promise<Served | null> {
  const [row] = await sql<Served[]>`
    select model, provider, standby from (${everyServed(sql)}) served where name = ${endpoint}`;
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

/** A model as the console shows it; prices are euros per token (console-22). */
export interface Model {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly provider: string;
  readonly inputPrice: number;
  readonly outputPrice: number;
  /** Of input read from a cache, and written to one; null: the input price. */
  readonly cachedInputPrice: number | null;
  readonly cacheWritePrice: number | null;
}

const modelColumns = (sql: Queryable) => sql`
  id, slug, name, provider_id as provider, input_price::float8 as "inputPrice", output_price::float8 as "outputPrice",
  cached_input_price::float8 as "cachedInputPrice", cache_write_price::float8 as "cacheWritePrice"`;

/** Models by slug and id, of one provider where it is named; one row more than `limit` where there is a next page. */
export function listModels(
  sql: Queryable,
  page: Page<readonly [slug: string, id: string]> & { provider: string | null; search?: string | undefined },
): Promise<Model[]> {
  const { past, way } = reading(sql, 'ascending', page);
  const chosen = all(sql, [
    whenPresent(page.provider, (provider) => sql`provider_id = ${provider}`),
    whenPresent(
      page.search ?? null,
      (part) => sql`(${holdsAny(sql, ['slug', 'name'], part)} or provider_id in (
        select p.id from providers p where ${holdsAny(sql, ['p.name', 'p.slug'], part)}))`,
    ),
    whenPresent(page.after, ([slug, id]) => sql`(slug, id) ${past} (${slug}, ${id}::uuid)`),
  ]);
  return addPosition<Model>(
    sql,
    sql`
    select ${modelColumns(sql)} from models where ${chosen}`,
    sql`slug ${way}, id ${way}`,
    page,
    'id',
    { provider: sql`(select slug from providers where id = listed.provider)` },
  );
}

export async function lockModel(sql: Queryable, id: string): Promise<Model | undefined> {
  const [row] = await sql<Model[]>`select ${modelColumns(sql)} from models where id = ${id} for update`;
  return row;
}

/** The shortest decimal form of a price is what the operator wrote, and `numeric` keeps it exactly. */
const exact = (sql: Queryable, price: number | null) => sql`${price === null ? null : String(price)}::text::numeric`;

export async function insertModel(sql: Queryable, model: Model): Promise<void> {
  await sql`
    insert into models (id, provider_id, slug, name, input_price, output_price, cached_input_price, cache_write_price)
    values (${model.id}, ${model.provider}, ${model.slug}, ${model.name}, ${exact(sql, model.inputPrice)},
      ${exact(sql, model.outputPrice)}, ${exact(sql, model.cachedInputPrice)}, ${exact(sql, model.cacheWritePrice)})`;
}

export async function updateModel(sql: Queryable, model: Model): Promise<void> {
  await sql`
    update models set slug = ${model.slug}, name = ${model.name},
      input_price = ${exact(sql, model.inputPrice)}, output_price = ${exact(sql, model.outputPrice)},
      cached_input_price = ${exact(sql, model.cachedInputPrice)}, cache_write_price = ${exact(sql, model.cacheWritePrice)}
    where id = ${model.id}`;
}

export async function deleteModel(sql: Queryable, id: string): Promise<void> {
  await sql`delete from models where id = ${id}`;
}

/** The first models of a provider, by name. */
export async function namesOfModels(sql: Queryable, provider: string): Promise<readonly string[]> {
  const rows = await sql<{ name: string }[]>`
    select name from models where provider_id::text = ${provider} order by name limit ${MOST_REFERRING}`;
  return rows.map(({ name }) => name);
}

export const MODELS: Declared<'model', Model> = {
  kind: 'model',
  named: 'slug',
  insert: insertModel,
  lock: lockModel,
  update: updateModel,
  remove: deleteModel,
};

export const ENDPOINTS: Declared<'endpoint', Endpoint> = {
  kind: 'endpoint',
  named: 'name',
  insert: insertEndpoint,
  lock: lockEndpoint,
  update: updateEndpoint,
  remove: deleteEndpoint,
};
