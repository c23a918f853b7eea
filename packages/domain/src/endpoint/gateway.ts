import { answer } from '@gateway/database/client/answers';
import type { Link } from '@gateway/database/client/link';

/** Euros per token. */
export interface ModelPrices {
  readonly input: number;
  readonly cachedInput: number;
  readonly cacheWrite: number;
  readonly output: number;
}

/**
 * The prices of the current month by the id of the model, also of models that were deleted.
 * @param deadline on the clock of `performance.now()`.
 * @throws DatabaseUnavailable
 */
export async function readModelPrices(link: Link, deadline: number): Promise<ReadonlyMap<string, ModelPrices>> {
  const rows = await answer(
    link,
    deadline,
    (sql) => sql<(ModelPrices & { readonly model: string })[]>`
      select model_id as model, coalesce(per_input_token, 0)::float8 as input, coalesce(per_cached_token, 0)::float8 as "cachedInput",
        coalesce(per_write_token, 0)::float8 as "cacheWrite", coalesce(per_output_token, 0)::float8 as output
      from model_prices`,
  );
  return new Map(rows.map(({ model, ...prices }) => [model, prices]));
}
