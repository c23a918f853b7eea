-- One row a relayed request (specification, Usage record), and the running totals the cap is checked against.
create table request_logs (
  id uuid primary key, -- the decision's id: a record written twice is one record (decisions §8)
  timestamp timestamptz(3) not null,
  subject text not null,
  endpoint text not null,
  model text not null, -- slug, as it was sent
  model_id uuid not null, -- no reference: a record outlives the model it names
  input_tokens bigint not null,
  output_tokens bigint not null,
  latency_ms integer not null,
  usage_source text not null,
  interrupted boolean not null,
  constraint bounds check (
    input_tokens >= 0 and output_tokens >= 0 and latency_ms >= 0 and usage_source in ('reported', 'estimated')
  )
);
create index request_logs_timestamp on request_logs (timestamp desc, id);
create index request_logs_subject on request_logs (subject, timestamp desc);

create table usage_totals (
  subject text not null,
  month date not null, -- first day, UTC
  model_id uuid not null,
  input_tokens numeric not null,
  output_tokens numeric not null,
  primary key (subject, month, model_id)
) with (fillfactor = 50); -- room on the page, so that a total is updated in place

-- The insert itself keeps the totals (decisions §8), in one order for all, so that two gateways cannot deadlock.
-- It runs with the owner's rights: the gateway may add usage but never write a total.
create function add_usage_to_totals() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into public.usage_totals as kept (subject, month, model_id, input_tokens, output_tokens)
  select subject, date_trunc('month', timestamp at time zone 'UTC')::date, model_id, sum(input_tokens), sum(output_tokens)
  from added group by 1, 2, 3 order by 1, 2, 3
  on conflict (subject, month, model_id) do update
    set input_tokens = kept.input_tokens + excluded.input_tokens,
        output_tokens = kept.output_tokens + excluded.output_tokens;
  return null;
end
$$;
revoke all on function add_usage_to_totals() from public;
create trigger add_usage_to_totals after insert on request_logs
  referencing new table as added for each statement execute function add_usage_to_totals();

grant select, insert on request_logs to gateway_service;
grant select on usage_totals to gateway_service;
grant select on request_logs, usage_totals to console_service;
