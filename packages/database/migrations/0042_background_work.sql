-- Work that ends after the call that started it: responses in the background, batches, interactions. Its final usage is billed once,
-- to the subject who started it, whoever reads it first and through whichever gateway: the primary key decides.
create table background_work (
  provider_id uuid not null, -- no reference: it outlives the provider
  work_id text not null, -- as the provider calls it
  seen_at timestamptz(3) not null default now(),
  -- The call that started it, and the tokens in that call's own record; null while no gateway has recorded such a call.
  started_by uuid,
  started_at timestamptz(3),
  subject text,
  endpoint text,
  model text,
  model_id uuid,
  recorded_input bigint not null default 0,
  recorded_cached bigint not null default 0,
  recorded_written bigint not null default 0,
  recorded_output bigint not null default 0,
  -- Its final usage; null until an answer shows it.
  ended_at timestamptz(3),
  input_tokens bigint,
  cached_input_tokens bigint,
  cache_write_tokens bigint,
  output_tokens bigint,
  part_of text, -- of a file of results: the work whose usage it contains
  billed_as uuid, -- the usage record with its final usage
  primary key (provider_id, work_id)
);
create index background_work_expiry on background_work ((started_by is null), seen_at);

-- Of a record that bills such work: the call that started the work. Null in the record of a call.
alter table request_logs add column started_by uuid;

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
  select (timestamp at time zone 'UTC')::date, subject, endpoint, model, model_id, (started_by is null)::int, interrupted::int,
    (usage_source = 'estimated')::int, input_tokens, output_tokens, latency_ms, cached_input_tokens, cache_write_tokens from added;
  return null;
end
$$;

-- Inserts usage records of which some show background work, and the records that bill what has ended. The same records again change
-- nothing. One call at a time, and the work before the totals, so that two gateways never wait for each other.
create function record_background_work(records json) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  seen record;
  work public.background_work;
  bills public.request_logs[] := '{}';
  bill public.request_logs;
begin
  perform pg_advisory_xact_lock(hashtext('record_background_work'));
  for seen in
    select call.*, shown.*
    from json_to_recordset(records) as call(id uuid, timestamp timestamptz, subject text, endpoint text, model text, "modelId" uuid,
        "inputTokens" bigint, "cachedInputTokens" bigint, "cacheWriteTokens" bigint, "outputTokens" bigint, "latencyMs" bigint,
        background json)
      cross join json_to_recordset(coalesce(call.background, '[]')) as shown("billId" uuid, provider uuid, "workId" text,
        "isStart" boolean, "isEnd" boolean, input bigint, cached bigint, written bigint, output bigint, "partOf" text)
  loop
    insert into public.background_work (provider_id, work_id, seen_at) values (seen.provider, seen."workId", seen.timestamp)
      on conflict do nothing;
    select * into work from public.background_work where provider_id = seen.provider and work_id = seen."workId" for update;
    if seen."isStart" and work.started_by is null then
      work.started_by := seen.id;
      work.started_at := seen.timestamp - seen."latencyMs" * interval '1 millisecond';
      work.subject := seen.subject;
      work.endpoint := seen.endpoint;
      work.model := seen.model;
      work.model_id := seen."modelId";
      work.recorded_input := seen."inputTokens";
      work.recorded_cached := seen."cachedInputTokens";
      work.recorded_written := seen."cacheWriteTokens";
      work.recorded_output := seen."outputTokens";
      -- An end from before the start is of something else that had this id. Clocks of gateways may differ by seconds.
      if work.ended_at < work.started_at - interval '10 seconds' then
        work.ended_at := null;
      end if;
    end if;
    if seen."isStart" and seen."isEnd" then
      work.billed_as := coalesce(work.billed_as, seen.id);
    elsif seen."isEnd" and (work.ended_at is null or work.started_by is null) then
      work.ended_at := seen.timestamp;
      work.input_tokens := seen.input;
      work.cached_input_tokens := seen.cached;
      work.cache_write_tokens := seen.written;
      work.output_tokens := seen.output;
    end if;
    work.part_of := coalesce(seen."partOf", work.part_of);
    update public.background_work kept set seen_at = work.seen_at, started_by = work.started_by, started_at = work.started_at,
      subject = work.subject, endpoint = work.endpoint, model = work.model, model_id = work.model_id,
      recorded_input = work.recorded_input, recorded_cached = work.recorded_cached, recorded_written = work.recorded_written,
      recorded_output = work.recorded_output, ended_at = work.ended_at, input_tokens = work.input_tokens,
      cached_input_tokens = work.cached_input_tokens, cache_write_tokens = work.cache_write_tokens,
      output_tokens = work.output_tokens, part_of = work.part_of, billed_as = work.billed_as
    where kept.provider_id = work.provider_id and kept.work_id = work.work_id;
    -- The usage in a file of results is that of its batch.
    if work.part_of is not null and work.ended_at is not null then
      update public.background_work batch set ended_at = work.ended_at, input_tokens = work.input_tokens,
        cached_input_tokens = work.cached_input_tokens, cache_write_tokens = work.cache_write_tokens,
        output_tokens = work.output_tokens
      where batch.provider_id = work.provider_id and batch.work_id = work.part_of and batch.ended_at is null;
      select * into work from public.background_work batch
      where batch.provider_id = seen.provider and batch.work_id = work.part_of for update;
    end if;
    if work.started_by is not null and work.ended_at is not null and work.billed_as is null then
      bill.input_tokens := greatest(work.input_tokens - work.recorded_input, 0);
      bill.cached_input_tokens := least(greatest(work.cached_input_tokens - work.recorded_cached, 0), bill.input_tokens);
      bill.cache_write_tokens := least(greatest(work.cache_write_tokens - work.recorded_written, 0),
        bill.input_tokens - bill.cached_input_tokens);
      bill.output_tokens := greatest(work.output_tokens - work.recorded_output, 0);
      bill.id := seen."billId";
      bill.timestamp := seen.timestamp;
      bill.subject := work.subject;
      bill.endpoint := work.endpoint;
      bill.model := work.model;
      bill.model_id := work.model_id;
      bill.started_by := work.started_by;
      update public.background_work kept set billed_as = bill.id
      where kept.provider_id = work.provider_id and kept.work_id = work.work_id;
      bills := bills || bill;
    end if;
  end loop;
  insert into public.request_logs (id, timestamp, subject, endpoint, model, model_id, input_tokens, cached_input_tokens,
    cache_write_tokens, output_tokens, latency_ms, first_token_ms, usage_source, interrupted, upstream_status, started_by)
  select id, timestamp, subject, endpoint, model, "modelId", "inputTokens", "cachedInputTokens", "cacheWriteTokens", "outputTokens",
    "latencyMs", "firstTokenMs", "usageSource", interrupted, "upstreamStatus", null
  from json_to_recordset(records) as call(id uuid, timestamp timestamptz, subject text, endpoint text, model text, "modelId" uuid,
    "inputTokens" bigint, "cachedInputTokens" bigint, "cacheWriteTokens" bigint, "outputTokens" bigint, "latencyMs" integer,
    "firstTokenMs" integer, "usageSource" text, interrupted boolean, "upstreamStatus" integer)
  union all
  select id, timestamp, subject, endpoint, model, model_id, input_tokens, cached_input_tokens, cache_write_tokens, output_tokens,
    0, null, 'reported', false, null, started_by
  from unnest(bills)
  on conflict (id) do nothing;
  -- What no call started is forgotten after a week, everything else after a year: providers keep results for a month.
  delete from public.background_work where (provider_id, work_id) in (
    select provider_id, work_id from public.background_work where (started_by is null) and seen_at < now() - interval '7 days' limit 100);
  delete from public.background_work where (provider_id, work_id) in (
    select provider_id, work_id from public.background_work where (started_by is null) = false and seen_at < now() - interval '1 year' limit 100);
end
$$;
revoke all on function record_background_work(json) from public;
grant execute on function record_background_work(json) to gateway_service;
