import type { Queryable } from '@gateway/database';
import { all, holdsAny, whenPresent } from '@gateway/database/client/conditions';
import { addPosition, MOST_REFERRING, type Page, reading } from '@gateway/database/client/pages';

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

const columns = (sql: Queryable) => sql`
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
    select ${columns(sql)} from models where ${chosen}`,
    sql`slug ${way}, id ${way}`,
    page,
    'id',
    { provider: sql`(select slug from providers where id = listed.provider)` },
  );
}

export async function lockModel(sql: Queryable, id: string): Promise<Model | undefined> {
  const [row] = await sql<Model[]>`select ${columns(sql)} from models where id = ${id} for update`;
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
