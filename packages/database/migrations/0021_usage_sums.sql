-- What the console's charts of usage are made of: sums by UTC day and by UTC month, so that a page of usage over a year of
-- records reads a few thousand rows. Integers in double precision are exact up to 2^53, and no count of a provider, however
-- wrong, can overflow them.
create table usage_sums (
  stretch text not null check (stretch in ('day', 'month')),
  starts date not null, -- first day, UTC
  subject text not null,
  endpoint text not null,
  model text not null,
  model_id uuid not null,
  requests bigint not null,
  interrupted bigint not null,
  estimated bigint not null,
  input_tokens double precision not null,
  output_tokens double precision not null,
  latency_ms double precision not null,
  primary key (stretch, starts, subject, endpoint, model_id, model)
) with (fillfactor = 70); -- room on the page, so that a sum is updated in place

-- Records that no sum holds yet. A relayed call waits for its record, so the insert only puts it down here; adding it up is the
-- console's to ask for. In one transaction a record leaves this table and enters its sums, so both together are always exact.
create table usage_unsummed (
  starts date not null, -- its day, UTC
  subject text not null,
  endpoint text not null,
  model text not null,
  model_id uuid not null,
  requests bigint not null,
  interrupted bigint not null,
  estimated bigint not null,
  input_tokens double precision not null,
  output_tokens double precision not null,
  latency_ms double precision not null
);

create or replace function add_usage_to_totals() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into public.usage_totals as kept (subject, month, model_id, input_tokens, output_tokens)
  select subject, date_trunc('month', timestamp at time zone 'UTC')::date, model_id, sum(input_tokens), sum(output_tokens)
  from added group by 1, 2, 3 order by 1, 2, 3
  on conflict (subject, month, model_id) do update
    set input_tokens = kept.input_tokens + excluded.input_tokens,
        output_tokens = kept.output_tokens + excluded.output_tokens;
  insert into public.usage_unsummed
  select (timestamp at time zone 'UTC')::date, subject, endpoint, model, model_id, 1, interrupted::int,
    (usage_source = 'estimated')::int, input_tokens, output_tokens, latency_ms from added;
  return null;
end
$$;

-- Adds up to `most` records to their sums and says how many it added; 0 also while another console is at it.
create function add_up_usage(most integer) returns bigint
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
    insert into public.usage_sums as kept
    select stretch, step.starts, subject, endpoint, model, model_id, sum(requests), sum(interrupted), sum(estimated),
      sum(input_tokens), sum(output_tokens), sum(latency_ms)
    from taken cross join lateral (values ('day', starts), ('month', date_trunc('month', starts)::date)) step (stretch, starts)
    group by 1, 2, 3, 4, 5, 6
    on conflict (stretch, starts, subject, endpoint, model_id, model) do update
      set requests = kept.requests + excluded.requests,
          interrupted = kept.interrupted + excluded.interrupted,
          estimated = kept.estimated + excluded.estimated,
          input_tokens = kept.input_tokens + excluded.input_tokens,
          output_tokens = kept.output_tokens + excluded.output_tokens,
          latency_ms = kept.latency_ms + excluded.latency_ms
  )
  select count(*) into added from taken;
  return added;
end
$$;
revoke all on function add_up_usage(integer) from public;

insert into usage_sums
select stretch, step.starts, subject, endpoint, model, model_id, count(*), count(*) filter (where interrupted),
  count(*) filter (where usage_source = 'estimated'), sum(input_tokens), sum(output_tokens), sum(latency_ms)
from request_logs cross join lateral (values
  ('day', (timestamp at time zone 'UTC')::date), ('month', date_trunc('month', timestamp at time zone 'UTC')::date)
) step (stretch, starts) group by 1, 2, 3, 4, 5, 6;

grant select on usage_sums, usage_unsummed to console_service;
grant execute on function add_up_usage(integer) to console_service;

-- The totals of one month, for the list of caps.
create index usage_totals_month on usage_totals (month);
