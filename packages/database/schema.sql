-- The schema as the last migration leaves it: what a reviewer reads, and what a test compares with the migrations.
-- Made from the catalog of a migrated database; never edited by hand. The service roles exist before it is applied.

create table account_imports (
  id uuid not null,
  author text not null,
  started_at timestamp(3) with time zone not null default now()
);

create table account_keys (
  id uuid not null,
  account_id uuid not null,
  digest bytea not null,
  last_four text not null,
  label text not null,
  created_at timestamp with time zone not null default now(),
  revoked_at timestamp with time zone,
  expires_at timestamp with time zone,
  import_id uuid
);

create table accounts (
  id uuid not null,
  username text not null,
  origin text not null default 'local'::text,
  display_name text,
  email text,
  plan_id uuid,
  enabled boolean not null default true,
  created_at timestamp with time zone not null default now(),
  disabled_by_project boolean not null default false
);

create table administration_action_seals (
  sequence bigint not null,
  key_id text not null,
  signature bytea not null,
  sealed_at timestamp with time zone not null default now()
);

create table administration_actions (
  sequence bigint not null,
  id uuid not null,
  at timestamp(3) with time zone not null,
  component text not null,
  author text not null,
  action text not null,
  target text not null,
  old_value text,
  new_value text,
  previous bytea not null,
  digest bytea not null
);

create table agent_acts (
  id uuid not null,
  session text not null,
  parent_session text,
  subject text not null,
  at timestamp(3) with time zone not null,
  tool text not null,
  target_kind text not null,
  target_value text not null,
  authorized_by text not null,
  outcome text not null,
  reason text,
  received_at timestamp(3) with time zone not null default now(),
  number bigint not null generated always as identity
);

create table agent_command_ends (
  command_id uuid not null,
  ended_at timestamp(3) with time zone not null,
  code integer,
  signal text,
  cause text,
  fault text,
  duration_ms bigint,
  stdout_bytes bigint,
  stderr_bytes bigint
);

create table agent_command_interruptions (
  command_id uuid not null,
  asked_at timestamp(3) with time zone not null default now()
);

create table agent_commands (
  id uuid not null,
  subject text not null,
  session text not null,
  interpreter text not null,
  started_at timestamp(3) with time zone not null
);

create table agent_session_lineage (
  subject text not null,
  session text not null,
  parent_session text not null,
  author text not null,
  stated_at timestamp with time zone not null default now()
);

create table agent_session_parents (
  session text not null,
  parent_session text not null
);

create table agent_session_revocations (
  session text not null,
  reason text not null,
  author text not null,
  revoked_at timestamp with time zone not null default now()
);

create table agent_sessions (
  session text not null,
  subject text,
  acts bigint not null,
  first_at timestamp(3) with time zone not null,
  last_at timestamp(3) with time zone not null
);

create table authorization_decision_seals (
  sequence bigint not null,
  key_id text not null,
  signature bytea not null,
  sealed_at timestamp with time zone not null default now()
);

create table authorization_decisions (
  sequence bigint not null,
  id uuid not null,
  at timestamp(3) with time zone not null,
  component text not null,
  subject text,
  credential text not null,
  key_id uuid,
  permission text not null,
  resource text not null,
  session text,
  outcome text not null,
  reason text not null,
  status integer not null,
  roles text[] not null,
  policy_revision integer,
  detail text,
  request_id text,
  source_address text,
  previous bytea not null,
  digest bytea not null
);

create table authorization_policies (
  revision integer not null,
  cedar text not null,
  restricts boolean not null generated always as ((cedar ~ '\S'::text)) stored,
  author text not null,
  installed_at timestamp with time zone not null default now()
);

create table background_work (
  provider_id uuid not null,
  work_id text not null,
  seen_at timestamp(3) with time zone not null default now(),
  started_by uuid,
  started_at timestamp(3) with time zone,
  subject text,
  endpoint text,
  model text,
  model_id uuid,
  recorded_input bigint not null default 0,
  recorded_cached bigint not null default 0,
  recorded_written bigint not null default 0,
  recorded_output bigint not null default 0,
  ended_at timestamp(3) with time zone,
  input_tokens bigint,
  cached_input_tokens bigint,
  cache_write_tokens bigint,
  output_tokens bigint,
  part_of text,
  billed_as uuid
);

create table budget_alerts (
  id uuid not null default gen_random_uuid(),
  at timestamp(3) with time zone not null default now(),
  subject text not null,
  month date not null,
  threshold smallint not null,
  plan text not null,
  cap numeric not null,
  spent numeric not null
);

create table chain_verifications (
  id uuid not null,
  at timestamp(3) with time zone not null default now(),
  chain text not null,
  entries bigint,
  broken_at bigint
);

create table closed_month_prices (
  model_id uuid not null,
  until date not null,
  per_input_token numeric not null,
  per_output_token numeric not null,
  per_cached_token numeric not null,
  per_write_token numeric not null
);

create table console_sessions (
  digest bytea not null,
  subject text not null,
  started_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null,
  kind text not null default 'directory'::text,
  key_id uuid
);

create table console_sign_ins (
  digest bytea not null,
  expires_at timestamp with time zone not null
);

create table deleted_model_prices (
  model_id uuid not null,
  per_input_token numeric not null,
  per_output_token numeric not null,
  deleted_at timestamp with time zone not null default now(),
  per_cached_token numeric,
  per_write_token numeric,
  provider text
);

create table endpoints (
  id uuid not null,
  name text not null,
  model_id uuid not null,
  active boolean not null default true,
  created_at timestamp with time zone not null default now(),
  paths text[] not null default '{}'::text[],
  standby_model_id uuid
);

create table group_roles (
  id uuid not null,
  group_name text not null,
  role text not null,
  project text,
  author text not null,
  created_at timestamp(3) with time zone not null default now()
);

create table key_uses (
  key_id uuid not null,
  last_used_at timestamp(3) with time zone not null
);

create table license_seats (
  month date not null,
  seat integer not null,
  subject text not null,
  claimed_at timestamp with time zone not null default now()
);

create table log_archives (
  file text not null,
  log text not null,
  entries bigint not null,
  sha256 text not null,
  first_sequence bigint,
  last_sequence bigint,
  digest bytea,
  seal_key_id text,
  seal_signature bytea,
  archived_at timestamp with time zone not null default now(),
  removed_at timestamp with time zone
);

create table log_export_positions (
  destination text not null,
  source text not null,
  "position" bigint not null,
  exported_at timestamp(3) with time zone not null default now()
);

create table log_instance (
  instance text not null
);

create table log_retention (
  log text not null,
  months integer not null
);

create table log_tiles (
  chain text not null,
  level integer not null,
  tile bigint not null,
  hashes bytea not null
);

create table models (
  id uuid not null,
  provider_id uuid not null,
  slug text not null,
  name text not null,
  input_price numeric not null,
  output_price numeric not null,
  created_at timestamp with time zone not null default now(),
  cached_input_price numeric,
  cache_write_price numeric
);

create table organization_policies (
  organization_id uuid not null,
  revision integer not null,
  document jsonb not null,
  produced_at timestamp(3) with time zone not null default now(),
  valid_from timestamp(3) with time zone,
  valid_until timestamp(3) with time zone,
  author text not null
);

create table organizations (
  id uuid not null,
  slug text not null,
  name text not null,
  created_at timestamp with time zone not null default now()
);

create table plans (
  id uuid not null,
  slug text not null,
  name text not null,
  monthly_cap numeric,
  created_at timestamp with time zone not null default now(),
  alert_thresholds smallint[] not null default '{}'::smallint[]
);

create table policy_attempts (
  id uuid not null,
  at timestamp(3) with time zone not null default now(),
  kind text not null,
  organization text,
  author text not null,
  outcome text not null,
  revision integer,
  fault text,
  document text not null
);

create table project_members (
  project text not null,
  subject text not null,
  added_by text not null,
  added_at timestamp with time zone not null default now()
);

create table provider_tests (
  id uuid not null,
  provider_id uuid,
  requested_by text not null,
  requested_at timestamp(3) with time zone not null default now(),
  taken_at timestamp(3) with time zone,
  finished_at timestamp(3) with time zone,
  status integer,
  fault text,
  models text[],
  base_url text,
  api_key_env text,
  api_key_header text
);

create table providers (
  id uuid not null,
  slug text not null,
  name text not null,
  base_url text not null,
  api_key_env text,
  api_key_header text,
  clear_text_acknowledged boolean not null default false,
  created_at timestamp with time zone not null default now()
);

create table provisioned_group_members (
  group_id uuid not null,
  user_id uuid not null
);

create table provisioned_groups (
  id uuid not null,
  display_name text not null,
  external_id text,
  created_at timestamp(3) with time zone not null default now(),
  modified_at timestamp(3) with time zone not null default now()
);

create table provisioned_users (
  id uuid not null,
  subject text not null,
  user_name text not null,
  external_id text,
  active boolean not null,
  attributes jsonb not null,
  created_at timestamp(3) with time zone not null default now(),
  modified_at timestamp(3) with time zone not null default now()
);

create table reported_expiries (
  kind text not null,
  expires_at timestamp(3) with time zone not null,
  reported_at timestamp(3) with time zone not null default now()
);

create table reported_key_variables (
  gateway text not null,
  present text[] not null,
  absent text[] not null,
  reported_at timestamp(3) with time zone not null default now()
);

create table request_logs (
  id uuid not null,
  "timestamp" timestamp(3) with time zone not null,
  subject text not null,
  endpoint text not null,
  model text not null,
  model_id uuid not null,
  input_tokens bigint not null,
  output_tokens bigint not null,
  latency_ms integer not null,
  usage_source text not null,
  interrupted boolean not null,
  cached_input_tokens bigint not null default 0,
  cache_write_tokens bigint not null default 0,
  upstream_status integer,
  first_token_ms integer,
  started_by uuid
);

create table role_assignments (
  id uuid not null,
  subject text not null,
  role text not null,
  project text,
  author text not null,
  granted_at timestamp with time zone not null default now(),
  group_role_id uuid
);

create table running_agent_commands (
  command_id uuid not null,
  gateway integer not null
);

create table schema_migrations (
  number integer not null,
  name text not null,
  digest text not null,
  applied_at timestamp with time zone not null default now(),
  baseline boolean not null default false
);

create table secret_detections (
  id uuid not null,
  number bigint not null generated always as identity,
  at timestamp(3) with time zone not null,
  decision_id uuid not null,
  place text not null,
  kind text not null,
  rule text not null,
  confidence text not null,
  response text not null,
  pointer text,
  start_offset bigint not null,
  end_offset bigint not null,
  length bigint not null,
  digest bytea not null,
  occurrences integer not null
);

create table signing_keys (
  id text not null,
  public_key text not null,
  component text not null,
  registered_at timestamp with time zone not null default now(),
  endorsed_at timestamp with time zone,
  endorsed_by text,
  empty_logs text[] not null default '{}'::text[]
);

create table subject_revocations (
  id uuid not null,
  subject text not null,
  reason text not null,
  author text not null,
  revoked_at timestamp with time zone not null default now(),
  lifted_at timestamp with time zone,
  lifted_by text,
  lift_reason text
);

create table upstream_results (
  decision_id uuid not null,
  at timestamp(3) with time zone not null,
  endpoint text not null,
  provider text not null,
  status integer,
  fault text,
  calls integer not null default 1
);

create table usage_sums (
  stretch text not null,
  starts date not null,
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
  cached_input_tokens double precision not null default 0,
  cache_write_tokens double precision not null default 0
);

create table usage_totals (
  subject text not null,
  month date not null,
  model_id uuid not null,
  input_tokens numeric not null,
  output_tokens numeric not null,
  cached_input_tokens numeric not null default 0,
  cache_write_tokens numeric not null default 0
);

create table usage_unsummed (
  starts date not null,
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
  cached_input_tokens double precision not null default 0,
  cache_write_tokens double precision not null default 0
);

create view model_prices as
 SELECT models.id AS model_id,
    models.input_price AS per_input_token,
    models.output_price AS per_output_token,
    COALESCE(models.cached_input_price, models.input_price) AS per_cached_token,
    COALESCE(models.cache_write_price, models.input_price) AS per_write_token
   FROM models
UNION ALL
 SELECT deleted_model_prices.model_id,
    deleted_model_prices.per_input_token,
    deleted_model_prices.per_output_token,
    COALESCE(deleted_model_prices.per_cached_token, deleted_model_prices.per_input_token) AS per_cached_token,
    COALESCE(deleted_model_prices.per_write_token, deleted_model_prices.per_input_token) AS per_write_token
   FROM deleted_model_prices;

create view model_providers as
 SELECT model.id AS model_id,
    provider.slug AS provider
   FROM (models model
     JOIN providers provider ON ((provider.id = model.provider_id)))
UNION ALL
 SELECT deleted_model_prices.model_id,
    deleted_model_prices.provider
   FROM deleted_model_prices;

create view price_periods as
 SELECT kept.model_id,
    COALESCE(( SELECT max(earlier.until) AS max
           FROM closed_month_prices earlier
          WHERE ((earlier.model_id = kept.model_id) AND (earlier.until < kept.until))), '-infinity'::date) AS starts,
    kept.until AS ends,
    kept.per_input_token,
    kept.per_output_token,
    kept.per_cached_token,
    kept.per_write_token
   FROM closed_month_prices kept
UNION ALL
 SELECT price.model_id,
    COALESCE(( SELECT max(kept.until) AS max
           FROM closed_month_prices kept
          WHERE (kept.model_id = price.model_id)), '-infinity'::date) AS starts,
    'infinity'::date AS ends,
    price.per_input_token,
    price.per_output_token,
    price.per_cached_token,
    price.per_write_token
   FROM model_prices price;

CREATE OR REPLACE FUNCTION public.add_up_usage(most integer)
 RETURNS bigint
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
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
$function$
;

CREATE OR REPLACE FUNCTION public.add_usage_to_totals()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
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
$function$
;

CREATE OR REPLACE FUNCTION public.begin_numbering()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  perform pg_current_xact_id();
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION public.bill_background_work(records json)
 RETURNS SETOF request_logs
 LANGUAGE plpgsql
 STRICT SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
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
$function$
;

CREATE OR REPLACE FUNCTION public.check_moved_model()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  of_endpoint text;
begin
  select endpoint.name into of_endpoint
  from public.endpoints endpoint
    join public.models first on first.id = endpoint.model_id
    join public.models second on second.id = endpoint.standby_model_id
  where new.id in (first.id, second.id) and first.provider_id = second.provider_id limit 1;
  if found then
    raise exception 'the standby of endpoint % is a model of the same provider', of_endpoint
      using errcode = 'check_violation', schema = 'public', table = 'endpoints', constraint = 'endpoints_standby_provider';
  end if;
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION public.check_standby_provider()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  -- Locked, so that no provider changes until the transaction ends.
  perform from public.models where id in (new.model_id, new.standby_model_id) for share;
  if exists (
    select from public.models first join public.models second using (provider_id)
    where first.id = new.model_id and second.id = new.standby_model_id
  ) then
    raise exception 'the standby of endpoint % is a model of the same provider', new.name
      using errcode = 'check_violation', schema = 'public', table = 'endpoints', constraint = 'endpoints_standby_provider';
  end if;
  return new;
end
$function$
;

CREATE OR REPLACE FUNCTION public.extend_log_tiles(of_chain text, levels integer[], tiles bigint[], firsts integer[], pieces text[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  extended bigint;
  begun bigint;
begin
  update public.log_tiles stored set hashes = stored.hashes || decode(more.piece, 'hex')
  from unnest(levels, tiles, firsts, pieces) as more (level, tile, first, piece)
  where stored.chain = of_chain and stored.level = more.level and stored.tile = more.tile
    and more.first > 0 and octet_length(stored.hashes) = more.first * 32;
  get diagnostics extended = row_count;
  insert into public.log_tiles (chain, level, tile, hashes)
  select of_chain, more.level, more.tile, decode(more.piece, 'hex')
  from unnest(levels, tiles, firsts, pieces) as more (level, tile, first, piece) where more.first = 0
  on conflict do nothing;
  get diagnostics begun = row_count;
  if extended + begun <> cardinality(levels) then
    raise exception 'the stored tree of % has other tiles than were read', of_chain using errcode = 'data_exception';
  end if;
end
$function$
;

CREATE OR REPLACE FUNCTION public.install_administrator(account uuid, key uuid, plan uuid, key_digest bytea, key_last_four text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  unlimited uuid;
begin
  perform pg_advisory_xact_lock(hashtextextended('install_administrator', 7331));
  if exists (select from public.accounts where username = 'admin') then
    return false;
  end if;
  insert into public.plans (id, slug, name, monthly_cap)
    values (plan, 'administrator', 'administrator', null)
    on conflict (slug) do nothing;
  select p.id into strict unlimited from public.plans p where p.slug = 'administrator';
  insert into public.accounts (id, username, origin, plan_id) values (account, 'admin', 'local', unlimited);
  insert into public.account_keys (id, account_id, digest, last_four, label)
    values (key, account, key_digest, key_last_four, 'ADMIN_API_KEY');
  return true;
end
$function$
;

CREATE OR REPLACE FUNCTION public.keep_parents_of_sessions()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  insert into public.agent_session_parents (session, parent_session)
  select distinct session, parent_session from added order by session, parent_session on conflict do nothing;
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION public.keep_price_of_deleted_model()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  insert into public.deleted_model_prices (model_id, per_input_token, per_output_token, per_cached_token, per_write_token, provider)
  values (old.id, old.input_price, old.output_price, old.cached_input_price, old.cache_write_price,
    (select slug from public.providers where id = old.provider_id));
  return old;
end
$function$
;

CREATE OR REPLACE FUNCTION public.keep_prices_of_closed_months()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  insert into public.closed_month_prices (model_id, until, per_input_token, per_output_token, per_cached_token, per_write_token)
  values (old.id, date_trunc('month', now() at time zone 'UTC')::date, old.input_price, old.output_price,
    coalesce(old.cached_input_price, old.input_price), coalesce(old.cache_write_price, old.input_price))
  on conflict do nothing;
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION public.note_acts_of_sessions()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  insert into public.agent_sessions as kept (session, subject, acts, first_at, last_at)
  select session, (array_agg(subject order by at))[1], count(*), min(at), max(at) from added group by session order by session
  on conflict (session) do update
    set subject = coalesce(kept.subject, excluded.subject),
        acts = kept.acts + excluded.acts,
        first_at = least(kept.first_at, excluded.first_at),
        last_at = greatest(kept.last_at, excluded.last_at);
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION public.note_commands_of_sessions()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  insert into public.agent_sessions as kept (session, subject, acts, first_at, last_at)
  select session, (array_agg(subject order by started_at desc))[1], 0, min(started_at), max(started_at)
  from added group by session order by session
  on conflict (session) do update
    set subject = coalesce(kept.subject, excluded.subject),
        first_at = least(kept.first_at, excluded.first_at),
        last_at = greatest(kept.last_at, excluded.last_at);
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION public.note_revocation_of_session()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  insert into public.agent_sessions (session, acts, first_at, last_at)
  values (new.session, 0, new.revoked_at, new.revoked_at) on conflict (session) do nothing;
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION public.record_background_work(records json)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
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
$function$
;

CREATE OR REPLACE FUNCTION public.refuse_administration_with_audit()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'Roles are assigned at isolation level read committed alone.' using errcode = 'invalid_transaction_state';
  end if;
  perform pg_advisory_xact_lock(727003); -- TURN_OF in packages/database/src/audit-log/names.ts
  if exists (
    select from public.role_assignments as held
    where held.subject = new.subject and held.id <> new.id and (held.role = 'auditeur') <> (new.role = 'auditeur')
      and held.role <> 'utilisateur-standard' and new.role <> 'utilisateur-standard'
  ) then
    raise exception 'One subject cannot hold a role of pole administration and a role of pole audit at the same time.'
      using errcode = 'check_violation', constraint = 'administration_excludes_audit';
  end if;
  return new;
end
$function$
;

CREATE OR REPLACE FUNCTION public.register_directory_identity(id uuid, subject text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  insert into public.accounts (id, username, origin) values (id, subject, 'directory') on conflict do nothing
$function$
;

CREATE OR REPLACE FUNCTION public.register_signing_key()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if pg_has_role(session_user, current_user, 'member') and new.registered_at < now() then
    return new; -- of a backup
  end if;
  new.registered_at := now();
  new.endorsed_at := null;
  new.endorsed_by := null;
  new.empty_logs := '{}';
  if pg_has_role(session_user, current_user, 'member') then
    new.endorsed_at := now();
    new.endorsed_by := 'owner role';
  end if;
  if not exists (select from public.authorization_decisions) and not exists (select from public.log_archives where log = 'decisions') then
    new.empty_logs := new.empty_logs || 'authorization_decisions'::text;
  end if;
  if not exists (select from public.administration_actions) then
    new.empty_logs := new.empty_logs || 'administration_actions'::text;
  end if;
  return new;
end
$function$
;

CREATE OR REPLACE FUNCTION public.remove_expired_results(most integer)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  delete from public.upstream_results where decision_id = any (array(
    select decision_id from public.upstream_results
    where at < (date_trunc('month', now() at time zone 'UTC')
      - make_interval(months => coalesce((select months from public.log_retention where log = 'results'), 3))) at time zone 'UTC'
    order by at limit most for update skip locked))
$function$
;

CREATE OR REPLACE FUNCTION public.standby_model(standby uuid)
 RETURNS text
 LANGUAGE plpgsql
 STABLE
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  return (
    select json_build_object('modelId', model.id, 'modelSlug', model.slug, 'provider', json_build_object('id', provider.id,
      'slug', provider.slug, 'baseUrl', provider.base_url, 'apiKeyEnv', provider.api_key_env,
      'apiKeyHeader', provider.api_key_header))
    from public.models model join public.providers provider on provider.id = model.provider_id where model.id = standby);
end
$function$
;

CREATE OR REPLACE FUNCTION public.take_lineage_of_acts()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  insert into public.agent_session_lineage (subject, session, parent_session, author)
  select distinct on (subject, session) subject, session, parent_session, 'workstation' from added
  where parent_session <> session and char_length(subject) <= 255 order by subject, session, at
  on conflict do nothing;
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION public.take_lineage_of_commands()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  insert into public.agent_session_lineage (subject, session, parent_session, author)
  select added.subject, added.session, parents.parent_session, added.subject
  from added join public.agent_session_parents parents
    on parents.session = added.session and parents.xmin = pg_current_xact_id()::xid
  where char_length(added.subject) <= 255
  on conflict do nothing;
  return null;
end
$function$
;

alter table account_imports add constraint account_imports_pkey PRIMARY KEY (id);

alter table account_keys add constraint account_keys_digest_check CHECK ((octet_length(digest) = 32));

alter table account_keys add constraint account_keys_digest_key UNIQUE (digest);

alter table account_keys add constraint account_keys_pkey PRIMARY KEY (id);

alter table accounts add constraint accounts_origin_check CHECK ((origin = ANY (ARRAY['local'::text, 'directory'::text])));

alter table accounts add constraint accounts_pkey PRIMARY KEY (id);

alter table accounts add constraint accounts_username_check CHECK ((username ~ '^[^[:cntrl:]]{1,255}$'::text));

alter table accounts add constraint accounts_username_key UNIQUE (username);

alter table administration_action_seals add constraint administration_action_seals_pkey PRIMARY KEY (sequence);

alter table administration_actions add constraint administration_actions_author_check CHECK ((author ~ '^[^[:cntrl:]]{1,255}$'::text));

alter table administration_actions add constraint administration_actions_digest_check CHECK ((octet_length(digest) = 32));

alter table administration_actions add constraint administration_actions_id_key UNIQUE (id);

alter table administration_actions add constraint administration_actions_new_value_check CHECK (((new_value IS NULL) OR ((new_value)::json IS NOT NULL)));

alter table administration_actions add constraint administration_actions_old_value_check CHECK (((old_value IS NULL) OR ((old_value)::json IS NOT NULL)));

alter table administration_actions add constraint administration_actions_pkey PRIMARY KEY (sequence);

alter table administration_actions add constraint administration_actions_previous_check CHECK ((octet_length(previous) = 32));

alter table agent_acts add constraint agent_acts_authorized_by_check CHECK ((authorized_by = ANY (ARRAY['policy'::text, 'human'::text, 'automatic'::text])));

alter table agent_acts add constraint agent_acts_outcome_check CHECK ((outcome = ANY (ARRAY['succeeded'::text, 'failed'::text, 'refused'::text, 'interrupted'::text])));

alter table agent_acts add constraint agent_acts_pkey PRIMARY KEY (id);

alter table agent_acts add constraint agent_acts_reason_check CHECK ((char_length(reason) <= 300));

alter table agent_acts add constraint agent_acts_target_kind_check CHECK ((target_kind = ANY (ARRAY['path'::text, 'command'::text, 'host'::text])));

alter table agent_command_ends add constraint agent_command_ends_cause_check CHECK ((cause = ANY (ARRAY['interrupted'::text, 'disconnected'::text, 'revoked'::text, 'unreadable'::text, 'duration'::text, 'output'::text, 'disk'::text, 'shutdown'::text, 'secret'::text, 'lost'::text])));

alter table agent_command_ends add constraint agent_command_ends_duration_ms_check CHECK ((duration_ms >= 0));

alter table agent_command_ends add constraint agent_command_ends_known CHECK (((NOT (cause IS DISTINCT FROM 'lost'::text)) OR (num_nulls(duration_ms, stdout_bytes, stderr_bytes) = 0)));

alter table agent_command_ends add constraint agent_command_ends_pkey PRIMARY KEY (command_id);

alter table agent_command_ends add constraint agent_command_ends_stderr_bytes_check CHECK ((stderr_bytes >= 0));

alter table agent_command_ends add constraint agent_command_ends_stdout_bytes_check CHECK ((stdout_bytes >= 0));

alter table agent_command_interruptions add constraint agent_command_interruptions_pkey PRIMARY KEY (command_id);

alter table agent_commands add constraint agent_commands_pkey PRIMARY KEY (id);

alter table agent_session_lineage add constraint agent_session_lineage_check CHECK ((parent_session <> session));

alter table agent_session_lineage add constraint agent_session_lineage_pkey PRIMARY KEY (subject, session);

alter table agent_session_lineage add constraint agent_session_lineage_subject_check CHECK ((char_length(subject) <= 255));

alter table agent_session_parents add constraint agent_session_parents_pkey PRIMARY KEY (session, parent_session);

alter table agent_session_revocations add constraint agent_session_revocations_pkey PRIMARY KEY (session);

alter table agent_sessions add constraint agent_sessions_pkey PRIMARY KEY (session);

alter table authorization_decision_seals add constraint authorization_decision_seals_pkey PRIMARY KEY (sequence);

alter table authorization_decisions add constraint authorization_decisions_id_key UNIQUE (id);

alter table authorization_decisions add constraint authorization_decisions_pkey PRIMARY KEY (sequence);

alter table authorization_decisions add constraint closed_lists CHECK (((credential = ANY (ARRAY['key'::text, 'token'::text, 'none'::text])) AND (outcome = ANY (ARRAY['granted'::text, 'refused'::text]))));

alter table authorization_policies add constraint authorization_policies_pkey PRIMARY KEY (revision);

alter table authorization_policies add constraint authorization_policies_revision_check CHECK ((revision > 0));

alter table background_work add constraint background_work_pkey PRIMARY KEY (provider_id, work_id);

alter table budget_alerts add constraint budget_alerts_pkey PRIMARY KEY (id);

alter table budget_alerts add constraint budget_alerts_subject_month_threshold_key UNIQUE (subject, month, threshold);

alter table chain_verifications add constraint chain_verifications_pkey PRIMARY KEY (id);

alter table closed_month_prices add constraint closed_month_prices_pkey PRIMARY KEY (model_id, until);

alter table console_sessions add constraint console_sessions_digest_check CHECK ((octet_length(digest) = 32));

alter table console_sessions add constraint console_sessions_kind_check CHECK ((kind = ANY (ARRAY['directory'::text, 'pair'::text, 'key'::text])));

alter table console_sessions add constraint console_sessions_pkey PRIMARY KEY (digest);

alter table console_sessions add constraint console_sessions_subject_check CHECK ((subject ~ '^[^[:cntrl:]]{1,255}$'::text));

alter table console_sessions add constraint key_of_session CHECK (((kind = 'key'::text) = (key_id IS NOT NULL)));

alter table console_sign_ins add constraint console_sign_ins_digest_check CHECK ((octet_length(digest) = 32));

alter table console_sign_ins add constraint console_sign_ins_pkey PRIMARY KEY (digest);

alter table deleted_model_prices add constraint deleted_model_prices_pkey PRIMARY KEY (model_id);

alter table endpoints add constraint endpoints_name_check CHECK (((name ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$'::text) AND (name <> ALL (ARRAY['v'::text, 'ide'::text, '_agent-execution'::text]))));

alter table endpoints add constraint endpoints_name_key UNIQUE (name);

alter table endpoints add constraint endpoints_pkey PRIMARY KEY (id);

alter table group_roles add constraint group_role_project CHECK (((role = 'administrateur-de-projet'::text) = (project IS NOT NULL)));

alter table group_roles add constraint group_roles_author_check CHECK ((author ~ '^[^[:cntrl:]]{1,255}$'::text));

alter table group_roles add constraint group_roles_group_name_check CHECK ((group_name ~ '^[^[:cntrl:]]{1,250}$'::text));

alter table group_roles add constraint group_roles_pkey PRIMARY KEY (id);

alter table group_roles add constraint group_roles_project_check CHECK ((project ~ '^[^[:cntrl:]]{1,255}$'::text));

alter table group_roles add constraint group_roles_role_check CHECK ((role = ANY (ARRAY['utilisateur-standard'::text, 'administrateur-de-projet'::text, 'administrateur-d-instance'::text, 'auditeur'::text])));

alter table key_uses add constraint key_uses_pkey PRIMARY KEY (key_id);

alter table license_seats add constraint license_seats_month_subject_key UNIQUE (month, subject);

alter table license_seats add constraint license_seats_pkey PRIMARY KEY (month, seat);

alter table license_seats add constraint license_seats_seat_check CHECK ((seat > 0));

alter table log_archives add constraint chained CHECK (((log = 'decisions'::text) = (num_nulls(first_sequence, last_sequence, digest, seal_key_id, seal_signature) = 0)));

alter table log_archives add constraint log_archives_digest_check CHECK ((octet_length(digest) = 32));

alter table log_archives add constraint log_archives_log_check CHECK ((log = ANY (ARRAY['decisions'::text, 'usage'::text, 'detections'::text, 'acts'::text])));

alter table log_archives add constraint log_archives_pkey PRIMARY KEY (file);

alter table log_archives add constraint log_archives_sha256_check CHECK ((sha256 ~ '^[0-9a-f]{64}$'::text));

alter table log_export_positions add constraint log_export_positions_pkey PRIMARY KEY (destination, source);

alter table log_export_positions add constraint log_export_positions_position_check CHECK (("position" >= 0));

alter table log_export_positions add constraint log_export_positions_source_check CHECK ((source = ANY (ARRAY['decisions'::text, 'actions'::text, 'detections'::text, 'acts'::text])));

alter table log_instance add constraint log_instance_instance_check CHECK ((instance ~ '^[0-9a-f]{16}$'::text));

alter table log_instance add constraint log_instance_pkey PRIMARY KEY (instance);

alter table log_retention add constraint log_retention_log_check CHECK ((log = ANY (ARRAY['decisions'::text, 'usage'::text, 'detections'::text, 'acts'::text, 'results'::text])));

alter table log_retention add constraint log_retention_months_check CHECK (((months >= 1) AND (months <= 1200)));

alter table log_retention add constraint log_retention_pkey PRIMARY KEY (log);

alter table log_tiles add constraint log_tiles_chain_check CHECK ((chain = ANY (ARRAY['authorization_decisions'::text, 'administration_actions'::text])));

alter table log_tiles add constraint log_tiles_hashes_check CHECK (((octet_length(hashes) >= 32) AND (octet_length(hashes) <= 8192) AND ((octet_length(hashes) % 32) = 0)));

alter table log_tiles add constraint log_tiles_level_check CHECK ((level >= 0));

alter table log_tiles add constraint log_tiles_pkey PRIMARY KEY (chain, level, tile);

alter table log_tiles add constraint log_tiles_tile_check CHECK ((tile >= 0));

alter table models add constraint models_cache_write_price_check CHECK ((cache_write_price >= (0)::numeric));

alter table models add constraint models_cached_input_price_check CHECK ((cached_input_price >= (0)::numeric));

alter table models add constraint models_input_price_check CHECK ((input_price >= (0)::numeric));

alter table models add constraint models_output_price_check CHECK ((output_price >= (0)::numeric));

alter table models add constraint models_pkey PRIMARY KEY (id);

alter table models add constraint models_provider_id_slug_key UNIQUE (provider_id, slug);

alter table organization_policies add constraint organization_policies_check CHECK (((valid_from IS NULL) OR (valid_until IS NULL) OR (valid_from < valid_until)));

alter table organization_policies add constraint organization_policies_pkey PRIMARY KEY (organization_id, revision);

alter table organization_policies add constraint organization_policies_revision_check CHECK ((revision > 0));

alter table organizations add constraint organizations_pkey PRIMARY KEY (id);

alter table organizations add constraint organizations_slug_key UNIQUE (slug);

alter table plans add constraint plans_monthly_cap_check CHECK ((monthly_cap >= (0)::numeric));

alter table plans add constraint plans_pkey PRIMARY KEY (id);

alter table plans add constraint plans_slug_key UNIQUE (slug);

alter table policy_attempts add constraint policy_attempts_kind_check CHECK ((kind = ANY (ARRAY['authorization'::text, 'organization'::text])));

alter table policy_attempts add constraint policy_attempts_outcome_check CHECK ((outcome = ANY (ARRAY['installed'::text, 'refused'::text])));

alter table policy_attempts add constraint policy_attempts_pkey PRIMARY KEY (id);

alter table project_members add constraint project_members_pkey PRIMARY KEY (project, subject);

alter table project_members add constraint project_members_project_check CHECK ((project ~ '^[^[:cntrl:]]{1,255}$'::text));

alter table project_members add constraint project_members_subject_check CHECK ((subject ~ '^[^[:cntrl:]]{1,255}$'::text));

alter table provider_tests add constraint provider_tests_pkey PRIMARY KEY (id);

alter table provider_tests add constraint provider_tests_target CHECK (((provider_id IS NULL) = (base_url IS NOT NULL)));

alter table providers add constraint providers_check CHECK (((lower(base_url) ~~ 'https://%'::text) OR clear_text_acknowledged));

alter table providers add constraint providers_pkey PRIMARY KEY (id);

alter table providers add constraint providers_slug_key UNIQUE (slug);

alter table provisioned_group_members add constraint provisioned_group_members_pkey PRIMARY KEY (group_id, user_id);

alter table provisioned_groups add constraint provisioned_groups_display_name_check CHECK ((display_name ~ '^[^[:cntrl:]]{1,250}$'::text));

alter table provisioned_groups add constraint provisioned_groups_pkey PRIMARY KEY (id);

alter table provisioned_users add constraint provisioned_users_pkey PRIMARY KEY (id);

alter table provisioned_users add constraint provisioned_users_subject_check CHECK ((subject ~ '^[^[:cntrl:]]{1,255}$'::text));

alter table provisioned_users add constraint provisioned_users_subject_key UNIQUE (subject);

alter table reported_expiries add constraint reported_expiries_kind_check CHECK ((kind = ANY (ARRAY['license'::text, 'certificate'::text])));

alter table reported_expiries add constraint reported_expiries_pkey PRIMARY KEY (kind, expires_at);

alter table reported_key_variables add constraint reported_key_variables_pkey PRIMARY KEY (gateway);

alter table request_logs add constraint bounds CHECK (((input_tokens >= 0) AND (output_tokens >= 0) AND (latency_ms >= 0) AND (usage_source = ANY (ARRAY['reported'::text, 'estimated'::text, 'none'::text])) AND (cached_input_tokens >= 0) AND (cache_write_tokens >= 0) AND ((cached_input_tokens + cache_write_tokens) <= input_tokens)));

alter table request_logs add constraint request_logs_pkey PRIMARY KEY (id);

alter table role_assignments add constraint project_scope CHECK (((role = 'administrateur-de-projet'::text) = (project IS NOT NULL)));

alter table role_assignments add constraint role_assignments_author_check CHECK ((author ~ '^[^[:cntrl:]]{1,255}$'::text));

alter table role_assignments add constraint role_assignments_pkey PRIMARY KEY (id);

alter table role_assignments add constraint role_assignments_project_check CHECK ((project ~ '^[^[:cntrl:]]{1,255}$'::text));

alter table role_assignments add constraint role_assignments_role_check CHECK ((role = ANY (ARRAY['utilisateur-standard'::text, 'administrateur-de-projet'::text, 'administrateur-d-instance'::text, 'auditeur'::text])));

alter table role_assignments add constraint role_assignments_subject_check CHECK ((subject ~ '^[^[:cntrl:]]{1,255}$'::text));

alter table role_assignments add constraint role_assignments_subject_role_project_key UNIQUE NULLS NOT DISTINCT (subject, role, project);

alter table running_agent_commands add constraint running_agent_commands_pkey PRIMARY KEY (command_id);

alter table schema_migrations add constraint schema_migrations_pkey PRIMARY KEY (number);

alter table secret_detections add constraint secret_detections_confidence_check CHECK ((confidence = ANY (ARRAY['high'::text, 'medium'::text])));

alter table secret_detections add constraint secret_detections_digest_check CHECK ((octet_length(digest) = 32));

alter table secret_detections add constraint secret_detections_occurrences_check CHECK ((occurrences > 0));

alter table secret_detections add constraint secret_detections_pkey PRIMARY KEY (id);

alter table secret_detections add constraint secret_detections_place_check CHECK ((place = ANY (ARRAY['request'::text, 'answer'::text, 'output'::text])));

alter table secret_detections add constraint secret_detections_response_check CHECK ((response = ANY (ARRAY['block'::text, 'mask'::text, 'alert'::text])));

alter table signing_keys add constraint signing_keys_pkey PRIMARY KEY (id);

alter table subject_revocations add constraint subject_revocations_check CHECK (((lifted_at IS NULL) = (lifted_by IS NULL)));

alter table subject_revocations add constraint subject_revocations_pkey PRIMARY KEY (id);

alter table upstream_results add constraint upstream_results_pkey PRIMARY KEY (decision_id);

alter table usage_sums add constraint usage_sums_pkey PRIMARY KEY (stretch, starts, subject, endpoint, model_id, model);

alter table usage_sums add constraint usage_sums_stretch_check CHECK ((stretch = ANY (ARRAY['day'::text, 'month'::text])));

alter table usage_totals add constraint usage_totals_pkey PRIMARY KEY (subject, month, model_id);

alter table account_keys add constraint account_keys_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;

alter table account_keys add constraint account_keys_import_id_fkey FOREIGN KEY (import_id) REFERENCES account_imports(id);

alter table accounts add constraint accounts_plan_id_fkey FOREIGN KEY (plan_id) REFERENCES plans(id);

alter table administration_action_seals add constraint administration_action_seals_key_id_fkey FOREIGN KEY (key_id) REFERENCES signing_keys(id);

alter table agent_command_ends add constraint agent_command_ends_command_id_fkey FOREIGN KEY (command_id) REFERENCES agent_commands(id);

alter table agent_command_interruptions add constraint agent_command_interruptions_command_id_fkey FOREIGN KEY (command_id) REFERENCES agent_commands(id);

alter table console_sessions add constraint console_sessions_key_id_fkey FOREIGN KEY (key_id) REFERENCES account_keys(id) ON DELETE CASCADE;

alter table endpoints add constraint endpoints_model_id_fkey FOREIGN KEY (model_id) REFERENCES models(id);

alter table endpoints add constraint endpoints_standby_model_id_fkey FOREIGN KEY (standby_model_id) REFERENCES models(id);

alter table models add constraint models_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES providers(id);

alter table organization_policies add constraint organization_policies_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id);

alter table provider_tests add constraint provider_tests_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES providers(id) ON DELETE CASCADE;

alter table provisioned_group_members add constraint provisioned_group_members_group_id_fkey FOREIGN KEY (group_id) REFERENCES provisioned_groups(id) ON DELETE CASCADE;

alter table provisioned_group_members add constraint provisioned_group_members_user_id_fkey FOREIGN KEY (user_id) REFERENCES provisioned_users(id) ON DELETE CASCADE;

alter table running_agent_commands add constraint running_agent_commands_command_id_fkey FOREIGN KEY (command_id) REFERENCES agent_commands(id);

CREATE INDEX account_imports_started_at ON public.account_imports USING btree (started_at, id);

CREATE INDEX account_keys_account_id ON public.account_keys USING btree (account_id);

CREATE INDEX account_keys_import_id ON public.account_keys USING btree (import_id) WHERE (import_id IS NOT NULL);

CREATE INDEX accounts_plan_id ON public.accounts USING btree (plan_id);

CREATE INDEX administration_actions_action ON public.administration_actions USING btree (action, sequence DESC);

CREATE INDEX administration_actions_at ON public.administration_actions USING btree (at DESC, sequence DESC);

CREATE INDEX administration_actions_author ON public.administration_actions USING btree (author, sequence DESC);

CREATE INDEX administration_actions_component ON public.administration_actions USING btree (component, sequence DESC);

CREATE INDEX administration_actions_target ON public.administration_actions USING btree (target, sequence DESC);

CREATE INDEX agent_acts_at ON public.agent_acts USING btree (at DESC, id);

CREATE INDEX agent_acts_ended_badly ON public.agent_acts USING btree (outcome, at DESC, id DESC) WHERE (outcome <> 'succeeded'::text);

CREATE UNIQUE INDEX agent_acts_number ON public.agent_acts USING btree (number);

CREATE INDEX agent_acts_session ON public.agent_acts USING btree (session, at DESC);

CREATE INDEX agent_acts_subject ON public.agent_acts USING btree (subject, at DESC);

CREATE INDEX agent_acts_tool ON public.agent_acts USING btree (tool, at DESC, id DESC);

CREATE INDEX agent_commands_session ON public.agent_commands USING btree (session, started_at DESC, id DESC);

CREATE INDEX agent_commands_started_at ON public.agent_commands USING btree (started_at DESC, id DESC);

CREATE INDEX agent_commands_subject ON public.agent_commands USING btree (subject, started_at DESC, id DESC);

CREATE INDEX agent_session_lineage_parent ON public.agent_session_lineage USING btree (parent_session, subject);

CREATE INDEX agent_session_lineage_session ON public.agent_session_lineage USING btree (session, stated_at);

CREATE INDEX agent_sessions_last_at ON public.agent_sessions USING btree (last_at DESC, session DESC);

CREATE INDEX agent_sessions_subject ON public.agent_sessions USING btree (subject, last_at DESC);

CREATE INDEX authorization_decisions_at ON public.authorization_decisions USING btree (at DESC, sequence DESC);

CREATE INDEX authorization_decisions_refused ON public.authorization_decisions USING btree (sequence DESC) WHERE (outcome = 'refused'::text);

CREATE INDEX authorization_decisions_session ON public.authorization_decisions USING btree (session, sequence DESC) WHERE (session IS NOT NULL);

CREATE INDEX authorization_decisions_subject ON public.authorization_decisions USING btree (subject, sequence DESC);

CREATE INDEX authorization_decisions_values ON public.authorization_decisions USING brin (resource text_bloom_ops (n_distinct_per_range='100'), reason text_bloom_ops (n_distinct_per_range='20'), permission text_bloom_ops (n_distinct_per_range='30'), component text_bloom_ops (n_distinct_per_range='4'), request_id text_bloom_ops (n_distinct_per_range='2000')) WITH (pages_per_range='64', autosummarize='true');

CREATE INDEX background_work_expiry ON public.background_work USING btree (((started_by IS NULL)), seen_at);

CREATE INDEX budget_alerts_at ON public.budget_alerts USING btree (at DESC, id DESC);

CREATE INDEX chain_verifications_at ON public.chain_verifications USING btree (at DESC);

CREATE INDEX console_sessions_subject ON public.console_sessions USING btree (subject);

CREATE INDEX endpoints_model_id ON public.endpoints USING btree (model_id);

CREATE INDEX endpoints_standby_model_id ON public.endpoints USING btree (standby_model_id) WHERE (standby_model_id IS NOT NULL);

CREATE UNIQUE INDEX group_roles_once ON public.group_roles USING btree (lower(group_name), role, project) NULLS NOT DISTINCT;

CREATE INDEX policy_attempts_kind ON public.policy_attempts USING btree (kind, at DESC, id DESC);

CREATE INDEX project_members_subject ON public.project_members USING btree (subject);

CREATE INDEX provider_tests_waiting ON public.provider_tests USING btree (requested_at) WHERE (taken_at IS NULL);

CREATE INDEX provisioned_group_members_user_id ON public.provisioned_group_members USING btree (user_id);

CREATE INDEX provisioned_groups_created_at ON public.provisioned_groups USING btree (created_at, id);

CREATE UNIQUE INDEX provisioned_groups_display_name ON public.provisioned_groups USING btree (lower(display_name));

CREATE INDEX provisioned_groups_external_id ON public.provisioned_groups USING btree (external_id);

CREATE INDEX provisioned_users_created_at ON public.provisioned_users USING btree (created_at, id);

CREATE INDEX provisioned_users_external_id ON public.provisioned_users USING btree (external_id);

CREATE UNIQUE INDEX provisioned_users_user_name ON public.provisioned_users USING btree (lower(user_name));

CREATE INDEX request_logs_endpoint ON public.request_logs USING btree (endpoint, "timestamp" DESC, id DESC);

CREATE INDEX request_logs_model ON public.request_logs USING btree (model, "timestamp" DESC, id DESC);

CREATE INDEX request_logs_subject ON public.request_logs USING btree (subject, "timestamp" DESC);

CREATE INDEX request_logs_timestamp ON public.request_logs USING btree ("timestamp" DESC, id);

CREATE INDEX role_assignments_project ON public.role_assignments USING btree (project) WHERE (project IS NOT NULL);

CREATE INDEX role_assignments_role ON public.role_assignments USING btree (role, id DESC);

CREATE INDEX secret_detections_at ON public.secret_detections USING btree (at DESC, id DESC);

CREATE INDEX secret_detections_decision ON public.secret_detections USING btree (decision_id);

CREATE INDEX secret_detections_kind ON public.secret_detections USING btree (kind, at DESC, id DESC);

CREATE UNIQUE INDEX secret_detections_number ON public.secret_detections USING btree (number);

CREATE UNIQUE INDEX subject_revocations_in_force ON public.subject_revocations USING btree (subject) WHERE (lifted_at IS NULL);

CREATE INDEX subject_revocations_subject ON public.subject_revocations USING btree (subject, id DESC);

CREATE INDEX upstream_results_at ON public.upstream_results USING btree (at DESC);

CREATE INDEX upstream_results_provider ON public.upstream_results USING btree (provider, at DESC);

CREATE INDEX usage_totals_month ON public.usage_totals USING btree (month);

CREATE TRIGGER begin_numbering BEFORE INSERT ON public.agent_acts FOR EACH STATEMENT EXECUTE FUNCTION begin_numbering();

CREATE TRIGGER note_acts_of_sessions AFTER INSERT ON public.agent_acts REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION note_acts_of_sessions();

CREATE TRIGGER take_lineage_of_acts AFTER INSERT ON public.agent_acts REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION take_lineage_of_acts();

CREATE TRIGGER note_commands_of_sessions AFTER INSERT ON public.agent_commands REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION note_commands_of_sessions();

CREATE TRIGGER take_lineage_of_commands AFTER INSERT ON public.agent_commands REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION take_lineage_of_commands();

CREATE TRIGGER keep_parents_of_sessions AFTER INSERT ON public.agent_session_lineage REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION keep_parents_of_sessions();

CREATE TRIGGER note_revocation_of_session AFTER INSERT ON public.agent_session_revocations FOR EACH ROW EXECUTE FUNCTION note_revocation_of_session();

CREATE TRIGGER check_standby_provider BEFORE INSERT OR UPDATE OF model_id, standby_model_id ON public.endpoints FOR EACH ROW WHEN ((new.standby_model_id IS NOT NULL)) EXECUTE FUNCTION check_standby_provider();

CREATE TRIGGER check_moved_model AFTER UPDATE OF provider_id ON public.models FOR EACH ROW WHEN ((old.provider_id IS DISTINCT FROM new.provider_id)) EXECUTE FUNCTION check_moved_model();

CREATE TRIGGER keep_price_of_deleted_model AFTER DELETE ON public.models FOR EACH ROW EXECUTE FUNCTION keep_price_of_deleted_model();

CREATE TRIGGER keep_prices_of_closed_months AFTER UPDATE ON public.models FOR EACH ROW WHEN (((old.input_price IS DISTINCT FROM new.input_price) OR (old.output_price IS DISTINCT FROM new.output_price) OR (old.cached_input_price IS DISTINCT FROM new.cached_input_price) OR (old.cache_write_price IS DISTINCT FROM new.cache_write_price))) EXECUTE FUNCTION keep_prices_of_closed_months();

CREATE TRIGGER add_usage_to_totals AFTER INSERT ON public.request_logs REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION add_usage_to_totals();

CREATE TRIGGER administration_excludes_audit BEFORE INSERT OR UPDATE ON public.role_assignments FOR EACH ROW EXECUTE FUNCTION refuse_administration_with_audit();

CREATE TRIGGER begin_numbering BEFORE INSERT ON public.secret_detections FOR EACH STATEMENT EXECUTE FUNCTION begin_numbering();

CREATE TRIGGER decide_endorsement BEFORE INSERT ON public.signing_keys FOR EACH ROW EXECUTE FUNCTION register_signing_key();

revoke all on function add_up_usage(most integer) from public;

revoke all on function add_usage_to_totals() from public;

revoke all on function begin_numbering() from public;

revoke all on function bill_background_work(records json) from public;

revoke all on function check_moved_model() from public;

revoke all on function check_standby_provider() from public;

revoke all on function extend_log_tiles(of_chain text, levels integer[], tiles bigint[], firsts integer[], pieces text[]) from public;

revoke all on function install_administrator(account uuid, key uuid, plan uuid, key_digest bytea, key_last_four text) from public;

revoke all on function keep_parents_of_sessions() from public;

revoke all on function keep_price_of_deleted_model() from public;

revoke all on function keep_prices_of_closed_months() from public;

revoke all on function note_acts_of_sessions() from public;

revoke all on function note_commands_of_sessions() from public;

revoke all on function note_revocation_of_session() from public;

revoke all on function record_background_work(records json) from public;

revoke all on function register_directory_identity(id uuid, subject text) from public;

revoke all on function register_signing_key() from public;

revoke all on function remove_expired_results(most integer) from public;

revoke all on function standby_model(standby uuid) from public;

revoke all on function take_lineage_of_acts() from public;

revoke all on function take_lineage_of_commands() from public;

grant usage on schema public to console_service;

grant usage on schema public to gateway_service;

grant insert, select on table account_imports to console_service;

grant insert, select on table account_keys to console_service;

grant select on table account_keys to gateway_service;

grant delete, insert, select, update on table accounts to console_service;

grant select on table accounts to gateway_service;

grant insert, select on table administration_action_seals to console_service;

grant insert, select on table administration_actions to console_service;

grant select on table administration_actions to gateway_service;

grant select on table agent_acts to console_service;

grant insert, select on table agent_acts to gateway_service;

grant select on table agent_command_ends to console_service;

grant insert, select on table agent_command_ends to gateway_service;

grant select on table agent_command_interruptions to console_service;

grant insert, select on table agent_command_interruptions to gateway_service;

grant select on table agent_commands to console_service;

grant insert, select on table agent_commands to gateway_service;

grant select on table agent_session_lineage to console_service;

grant insert, select on table agent_session_lineage to gateway_service;

grant select on table agent_session_parents to console_service;

grant insert, select on table agent_session_parents to gateway_service;

grant insert, select on table agent_session_revocations to console_service;

grant select on table agent_session_revocations to gateway_service;

grant select on table agent_sessions to console_service;

grant insert, select on table authorization_decision_seals to console_service;

grant insert, select on table authorization_decision_seals to gateway_service;

grant insert, select on table authorization_decisions to console_service;

grant insert, select on table authorization_decisions to gateway_service;

grant insert, select on table authorization_policies to console_service;

grant select on table authorization_policies to gateway_service;

grant insert, select on table budget_alerts to console_service;

grant insert, select on table chain_verifications to console_service;

grant delete, insert, select on table console_sessions to console_service;

grant delete, insert, select on table console_sign_ins to console_service;

grant delete, insert, select, update on table endpoints to console_service;

grant select on table endpoints to gateway_service;

grant delete, insert, select on table group_roles to console_service;

grant select on table key_uses to console_service;

grant insert, select, update on table key_uses to gateway_service;

grant select on table license_seats to console_service;

grant insert, select on table license_seats to gateway_service;

grant select on table log_archives to console_service;

grant insert, select on table log_export_positions to gateway_service;

grant select on table log_instance to console_service;

grant select on table log_instance to gateway_service;

grant select on table log_tiles to console_service;

grant select on table log_tiles to gateway_service;

grant select on table model_prices to console_service;

grant select on table model_prices to gateway_service;

grant select on table model_providers to console_service;

grant delete, insert, select, update on table models to console_service;

grant select on table models to gateway_service;

grant insert, select on table organization_policies to console_service;

grant select on table organization_policies to gateway_service;

grant insert, select on table organizations to console_service;

grant select on table organizations to gateway_service;

grant delete, insert, select, update on table plans to console_service;

grant select on table plans to gateway_service;

grant insert, select on table policy_attempts to console_service;

grant select on table price_periods to console_service;

grant delete, insert, select on table project_members to console_service;

grant insert, select on table provider_tests to console_service;

grant select on table provider_tests to gateway_service;

grant delete, insert, select, update on table providers to console_service;

grant select on table providers to gateway_service;

grant delete, insert, select on table provisioned_group_members to console_service;

grant delete, insert, select, update on table provisioned_groups to console_service;

grant delete, insert, select, update on table provisioned_users to console_service;

grant select on table reported_expiries to console_service;

grant insert, select on table reported_expiries to gateway_service;

grant select on table reported_key_variables to console_service;

grant delete, insert, select, update on table reported_key_variables to gateway_service;

grant select on table request_logs to console_service;

grant insert, select on table request_logs to gateway_service;

grant delete, insert, select on table role_assignments to console_service;

grant select on table role_assignments to gateway_service;

grant delete, insert, select on table running_agent_commands to gateway_service;

grant select on table schema_migrations to console_service;

grant select on table schema_migrations to gateway_service;

grant select on table secret_detections to console_service;

grant insert, select on table secret_detections to gateway_service;

grant insert, select on table signing_keys to console_service;

grant insert, select on table signing_keys to gateway_service;

grant insert, select on table subject_revocations to console_service;

grant select on table subject_revocations to gateway_service;

grant select on table upstream_results to console_service;

grant insert, select on table upstream_results to gateway_service;

grant select on table usage_sums to console_service;

grant select on table usage_totals to console_service;

grant select on table usage_totals to gateway_service;

grant select on table usage_unsummed to console_service;

grant execute on function add_up_usage(most integer) to console_service;

grant execute on function bill_background_work(records json) to gateway_service;

grant execute on function extend_log_tiles(of_chain text, levels integer[], tiles bigint[], firsts integer[], pieces text[]) to console_service;

grant execute on function extend_log_tiles(of_chain text, levels integer[], tiles bigint[], firsts integer[], pieces text[]) to gateway_service;

grant execute on function install_administrator(account uuid, key uuid, plan uuid, key_digest bytea, key_last_four text) to gateway_service;

grant execute on function record_background_work(records json) to gateway_service;

grant execute on function register_directory_identity(id uuid, subject text) to gateway_service;

grant execute on function remove_expired_results(most integer) to gateway_service;

grant execute on function standby_model(standby uuid) to gateway_service;

grant update (revoked_at) on table account_keys to console_service;

grant update (exported_at), update ("position") on table log_export_positions to gateway_service;

grant update (fault), update (finished_at), update (models), update (status), update (taken_at) on table provider_tests to gateway_service;

grant update (reported_at) on table reported_expiries to gateway_service;

grant update (lift_reason), update (lifted_at), update (lifted_by) on table subject_revocations to console_service;
