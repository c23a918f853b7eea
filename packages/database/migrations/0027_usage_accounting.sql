-- Usage as engines really report it (decisions §18): the share of the input that was read from a cache or written to one, prices of
-- their own for both, and calls that cost nothing. Records that are there keep their values: no cache, the input price for everything.
alter table request_logs
  add column cached_input_tokens bigint not null default 0, -- part of input_tokens
  add column cache_write_tokens bigint not null default 0, -- part of input_tokens
  drop constraint bounds,
  add constraint bounds check (
    input_tokens >= 0 and output_tokens >= 0 and latency_ms >= 0 and usage_source in ('reported', 'estimated', 'none')
    and cached_input_tokens >= 0 and cache_write_tokens >= 0 and cached_input_tokens + cache_write_tokens <= input_tokens
  );
alter table usage_totals
  add column cached_input_tokens numeric not null default 0,
  add column cache_write_tokens numeric not null default 0;
alter table usage_sums
  add column cached_input_tokens double precision not null default 0,
  add column cache_write_tokens double precision not null default 0;
alter table usage_unsummed
  add column cached_input_tokens double precision not null default 0,
  add column cache_write_tokens double precision not null default 0;

create or replace function add_usage_to_totals() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into public.usage_totals as kept
    (subject, month, model_id, input_tokens, output_tokens, cached_input_tokens, cache_write_tokens)
  select subject, date_trunc('month', timestamp at time zone 'UTC')::date, model_id, sum(input_tokens), sum(output_tokens),
    sum(cached_input_tokens), sum(cache_write_tokens)
  from added group by 1, 2, 3 order by 1, 2, 3
  on conflict (subject, month, model_id) do update
    set input_tokens = kept.input_tokens + excluded.input_tokens,
        output_tokens = kept.output_tokens + excluded.output_tokens,
        cached_input_tokens = kept.cached_input_tokens + excluded.cached_input_tokens,
        cache_write_tokens = kept.cache_write_tokens + excluded.cache_write_tokens;
  insert into public.usage_unsummed (starts, subject, endpoint, model, model_id, requests, interrupted, estimated, input_tokens,
    output_tokens, latency_ms, cached_input_tokens, cache_write_tokens)
  select (timestamp at time zone 'UTC')::date, subject, endpoint, model, model_id, 1, interrupted::int,
    (usage_source = 'estimated')::int, input_tokens, output_tokens, latency_ms, cached_input_tokens, cache_write_tokens from added;
  return null;
end
$$;

create or replace function add_up_usage(most integer) returns bigint
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  added bigint;
begin
  if not pg_try_advisory_xact_lock(hashtext('add_up_usage')) then
    return 0;
  end if;
  with taken as (
    delete from public.usage_unsummed where ctid = any (array(select ctid from public.usage_unsummed limit most)) returning *
  ), kept as (
    insert into public.usage_sums as kept (stretch, starts, subject, endpoint, model, model_id, requests, interrupted, estimated,
      input_tokens, output_tokens, latency_ms, cached_input_tokens, cache_write_tokens)
    select stretch, step.starts, subject, endpoint, model, model_id, sum(requests), sum(interrupted), sum(estimated),
      sum(input_tokens), sum(output_tokens), sum(latency_ms), sum(cached_input_tokens), sum(cache_write_tokens)
    from taken cross join lateral (values ('day', starts), ('month', date_trunc('month', starts)::date)) step (stretch, starts)
    group by 1, 2, 3, 4, 5, 6
    on conflict (stretch, starts, subject, endpoint, model_id, model) do update
      set requests = kept.requests + excluded.requests,
          interrupted = kept.interrupted + excluded.interrupted,
          estimated = kept.estimated + excluded.estimated,
          input_tokens = kept.input_tokens + excluded.input_tokens,
          output_tokens = kept.output_tokens + excluded.output_tokens,
          latency_ms = kept.latency_ms + excluded.latency_ms,
          cached_input_tokens = kept.cached_input_tokens + excluded.cached_input_tokens,
          cache_write_tokens = kept.cache_write_tokens + excluded.cache_write_tokens
  )
  select count(*) into added from taken;
  return added;
end
$$;

-- Null: the input price.
alter table models
  add column cached_input_price numeric check (cached_input_price >= 0), -- euros per token
  add column cache_write_price numeric check (cache_write_price >= 0); -- euros per token
alter table deleted_model_prices
  add column per_cached_token numeric,
  add column per_write_token numeric,
  add column provider text; -- its slug; null for a model that was deleted before this column existed

create or replace function keep_price_of_deleted_model() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into public.deleted_model_prices (model_id, per_input_token, per_output_token, per_cached_token, per_write_token, provider)
  values (old.id, old.input_price, old.output_price, old.cached_input_price, old.cache_write_price,
    (select slug from public.providers where id = old.provider_id));
  return old;
end
$$;

-- Prices of the current month.
create or replace view model_prices as
select id as model_id, input_price as per_input_token, output_price as per_output_token,
  coalesce(cached_input_price, input_price) as per_cached_token, coalesce(cache_write_price, input_price) as per_write_token
from models
union all
select model_id, per_input_token, per_output_token, coalesce(per_cached_token, per_input_token),
  coalesce(per_write_token, per_input_token)
from deleted_model_prices;

-- A closed month keeps the prices it ended with. The first change of a model's prices in a month keeps those before it: they are
-- the prices of every month before `until`, back to the row before this one.
create table closed_month_prices (
  model_id uuid not null, -- no reference: prices outlive the model
  until date not null, -- first day, UTC, of the month of the change
  per_input_token numeric not null,
  per_output_token numeric not null,
  per_cached_token numeric not null,
  per_write_token numeric not null,
  primary key (model_id, until)
);
create function keep_prices_of_closed_months() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into public.closed_month_prices (model_id, until, per_input_token, per_output_token, per_cached_token, per_write_token)
  values (old.id, date_trunc('month', now() at time zone 'UTC')::date, old.input_price, old.output_price,
    coalesce(old.cached_input_price, old.input_price), coalesce(old.cache_write_price, old.input_price))
  on conflict do nothing;
  return null;
end
$$;
revoke all on function keep_prices_of_closed_months() from public;
create trigger keep_prices_of_closed_months after update on models for each row
  when (old.input_price is distinct from new.input_price or old.output_price is distinct from new.output_price
    or old.cached_input_price is distinct from new.cached_input_price or old.cache_write_price is distinct from new.cache_write_price)
  execute function keep_prices_of_closed_months();

-- Which prices a record's month has: starts <= first day of the month < ends.
create view price_periods as
select model_id, coalesce((select max(earlier.until) from closed_month_prices earlier
    where earlier.model_id = kept.model_id and earlier.until < kept.until), '-infinity') as starts, until as ends,
  per_input_token, per_output_token, per_cached_token, per_write_token
from closed_month_prices kept
union all
select model_id, coalesce((select max(kept.until) from closed_month_prices kept where kept.model_id = price.model_id), '-infinity'),
  'infinity', per_input_token, per_output_token, per_cached_token, per_write_token
from model_prices price;

-- Two providers may serve a model of one slug: a record is told apart by the provider behind its model.
create view model_providers as
select model.id as model_id, provider.slug as provider from models model join providers provider on provider.id = model.provider_id
union all
select model_id, provider from deleted_model_prices;

grant select on price_periods, model_providers to console_service;

-- Paths that callers of an endpoint may use, as they stand behind its name; none: all of them.
alter table endpoints add column paths text[] not null default '{}';
