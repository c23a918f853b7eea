-- Notes the background work that usage records show, and returns the records that bill what has ended. The caller inserts both, so
-- that a column of usage is named by its statement alone. The same records again return nothing. One call at a time, and the work
-- before the records and the totals, so that two gateways never wait for each other.
create function bill_background_work(records json) returns setof request_logs
language plpgsql strict security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  seen record;
  work public.background_work;
  bill public.request_logs;
begin
  -- The lock of record_background_work, which gateways of the version before call.
  perform pg_advisory_xact_lock(hashtext('record_background_work'));
  bill.latency_ms := 0;
  bill.usage_source := 'reported';
  bill.interrupted := false;
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
      return next bill;
    end if;
  end loop;
  -- What no call started is forgotten after a week, everything else after a year: providers keep results for a month.
  delete from public.background_work where (provider_id, work_id) in (
    select provider_id, work_id from public.background_work where (started_by is null) and seen_at < now() - interval '7 days' limit 100);
  delete from public.background_work where (provider_id, work_id) in (
    select provider_id, work_id from public.background_work where (started_by is null) = false and seen_at < now() - interval '1 year' limit 100);
end
$$;
revoke all on function bill_background_work(json) from public;
grant execute on function bill_background_work(json) to gateway_service;
