import type { Queryable } from '../../../client/connect.ts';
import type { Fragment } from '../conditions.ts';

/**
 * Euros for the tokens of a row called `used` at the prices of a row called `price` (console-22, console-24). Without a price,
 * such as for a model deleted before prices were stored, the cost is zero.
 */
export const cost = (sql: Queryable): Fragment => sql`coalesce(
  (used.input_tokens - used.cached_input_tokens - used.cache_write_tokens) * price.per_input_token
  + used.cached_input_tokens * price.per_cached_token + used.cache_write_tokens * price.per_write_token
  + used.output_tokens * price.per_output_token, 0)`;

/** Joins the prices of a row's month as `price`: those of now in the current month, those it ended with in a closed one. */
export const pricesOf = (sql: Queryable, month: Fragment): Fragment => sql`
  left join price_periods price on price.model_id = used.model_id and price.starts <= ${month} and ${month} < price.ends`;
