import type { Queryable } from '../connect.ts';
import { all, given } from './conditions.ts';

/** An endpoint as the console shows it (decisions §14). */
export interface Endpoint {
  readonly id: string;
  readonly name: string;
  readonly model: string;
  readonly active: boolean;
}

const columns = (sql: Queryable) => sql`id, name, model_id as model, active`;

/** Endpoints by name, from after the given one on; one row more than `limit` where there is a next page. */
export function listEndpoints(
  sql: Queryable,
  page: { limit: number; after: string | null; model: string | null },
): Promise<Endpoint[]> {
  const chosen = all(sql, [
    given(page.model, (model) => sql`model_id = ${model}`),
    given(page.after, (name) => sql`name > ${name}`),
  ]);
  return sql<Endpoint[]>`
    select ${columns(sql)} from endpoints where ${chosen} order by name limit ${page.limit + 1}`;
}

export async function lockEndpoint(sql: Queryable, id: string): Promise<Endpoint | undefined> {
  const [row] = await sql<Endpoint[]>`select ${columns(sql)} from endpoints where id = ${id} for update`;
  return row;
}

export async function insertEndpoint(sql: Queryable, endpoint: Endpoint): Promise<void> {
  await sql`
    insert into endpoints (id, name, model_id, active)
    values (${endpoint.id}, ${endpoint.name}, ${endpoint.model}, ${endpoint.active})`;
}

export async function updateEndpoint(sql: Queryable, endpoint: Endpoint): Promise<void> {
  await sql`
    update endpoints set name = ${endpoint.name}, model_id = ${endpoint.model}, active = ${endpoint.active}
    where id = ${endpoint.id}`;
}

export async function deleteEndpoint(sql: Queryable, id: string): Promise<void> {
  await sql`delete from endpoints where id = ${id}`;
}
