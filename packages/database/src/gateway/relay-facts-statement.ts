/**
 * The one statement behind a relayed call (architecture, "A relayed call is one corridor"). It answers a batch: who the
 * distinct identities are, what the distinct endpoints serve, which of the distinct sessions are revoked, and what is in
 * force for everybody. Every row is text: the first column says of what kind, the second which one of the question's list.
 *
 * Parameters: key digests, directory subjects, endpoint names, sessions (arrays each), slug of the served organization.
 */

/** Spending of the month against the cap, per subject (decisions §8). The probe makes the answer need the record table too. */
const BILLING = `
  (identity.plan_id is not null)::text,
  case when plan.monthly_cap is null then 'false' else (
    plan.monthly_cap <= coalesce((
      select sum(total.input_tokens * price.per_input_token + total.output_tokens * price.per_output_token)
      from usage_totals total join model_prices price on price.model_id = total.model_id
      where total.subject = identity.subject and total.month = date_trunc('month', now() at time zone 'UTC')::date
    ), 0))::text end,
  exists (select from request_logs)::text`;

const WITHOUT_BILLING = 'null, null, null';

function statement(billing: boolean): string {
  return `
with identity as (
  select 'key' as kind, asked.n, account.username as subject, key.id as key_id, key.revoked_at is not null as key_revoked,
    account.id, account.username, account.origin, account.enabled, account.plan_id
  from unnest($1::bytea[]) with ordinality as asked (digest, n)
  join account_keys key on key.digest = asked.digest
  join accounts account on account.id = key.account_id
  union all
  select 'directory', asked.n, asked.subject, null, null,
    account.id, account.username, account.origin, account.enabled, account.plan_id
  from unnest($2::text[]) with ordinality as asked (subject, n)
  left join accounts account on account.username = asked.subject
)
select kind, n::text, identity.id::text, username, origin, enabled::text, key_id::text, key_revoked::text,
  exists (select from subject_revocations list where list.subject = identity.subject and list.lifted_at is null)::text,
  (select string_agg(distinct held.role, ',') from role_assignments held where held.subject = identity.subject),
  ${billing ? BILLING : WITHOUT_BILLING}
from identity ${billing ? 'left join plans plan on plan.id = identity.plan_id' : ''}
union all
select 'endpoint', asked.n::text, endpoint.name, endpoint.active::text, model.id::text, model.slug,
  provider.id::text, provider.slug, provider.base_url, provider.api_key_env, provider.api_key_header, null, null
from unnest($3::text[]) with ordinality as asked (name, n)
join endpoints endpoint on endpoint.name = asked.name
join models model on model.id = endpoint.model_id
join providers provider on provider.id = model.provider_id
union all
select 'session', asked.n::text, (extract(epoch from (
  with recursive line (session) as (
    select asked.session
    union
    select parents.parent_session from line join agent_session_parents parents on parents.session = line.session
  )
  select min(revocation.revoked_at) from line join agent_session_revocations revocation on revocation.session = line.session
)) * 1000)::text, null, null, null, null, null, null, null, null, null, null
from unnest($4::text[]) with ordinality as asked (session, n)
union all
select 'force', '1',
  (select case when restricts then revision end from authorization_policies order by revision desc limit 1)::text,
  (select max(policy.revision) from organization_policies policy
    join organizations organization on organization.id = policy.organization_id where organization.slug = $5)::text,
  null, null, null, null, null, null, null, null, null`;
}

/** With the plan and the cap (hosted profile). */
export const FACTS_WITH_BILLING = statement(true);
/** Everything else: on-premise, and where the tables of the consumption alone cannot be read. */
export const FACTS = statement(false);
