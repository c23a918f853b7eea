import type { Queryable } from '@gateway/database';

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
