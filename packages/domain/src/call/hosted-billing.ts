/**
 * Plan and cap of the subject's account (console-22). The probe makes the answer depend on the table of the records. It uses the
 * index: the table's first pages are empty once its oldest records are archived, and would be read one by one.
 */
export const BILLING = (subject: string, account: string) => ({
  plan: `(${account}.plan_id is not null)::text`,
  capReached: `case when plan.monthly_cap is null then 'false' else (
    plan.monthly_cap <= coalesce((
      select sum((total.input_tokens - total.cached_input_tokens - total.cache_write_tokens) * price.per_input_token
        + total.cached_input_tokens * price.per_cached_token + total.cache_write_tokens * price.per_write_token
        + total.output_tokens * price.per_output_token)
      from usage_totals total join model_prices price on price.model_id = total.model_id
      where total.subject = ${subject} and total.month = date_trunc('month', now() at time zone 'UTC')::date
    ), 0))::text end`,
  probe: "exists (select from request_logs where id = '00000000-0000-0000-0000-000000000000')::text",
});
