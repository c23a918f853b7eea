-- How long each log is kept, in whole months after the month of an entry. A log without a row is kept without end; results of
-- engines without one, three months. Set by an operator; nothing a service may change.
create table log_retention (
  log text primary key check (log in ('decisions', 'usage', 'detections', 'acts', 'results')),
  months integer not null check (months between 1 and 1200)
);

-- Files that entries of a log were moved to. Of the decision log, the place behind which its chain goes on: the last entry of
-- the file, with the seal over it.
create table log_archives (
  file text primary key, -- its name, without a directory
  log text not null check (log in ('decisions', 'usage', 'detections', 'acts')),
  entries bigint not null,
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'), -- of the file
  first_sequence bigint,
  last_sequence bigint,
  digest bytea check (octet_length(digest) = 32),
  seal_key_id text,
  seal_signature bytea,
  archived_at timestamptz not null default now(),
  removed_at timestamptz, -- null while its entries are still in the database
  constraint chained check ((log = 'decisions') = (num_nulls(first_sequence, last_sequence, digest, seal_key_id, seal_signature) = 0))
);

-- Removes up to `most` results that are past their retention. It runs with the owner's rights: the gateway may remove a result
-- that is old enough, and no other. Two gateways pass over each other's rows.
create function remove_expired_results(most integer) returns void
language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  delete from public.upstream_results where decision_id = any (array(
    select decision_id from public.upstream_results
    where at < (date_trunc('month', now() at time zone 'UTC')
      - make_interval(months => coalesce((select months from public.log_retention where log = 'results'), 3))) at time zone 'UTC'
    order by at limit most for update skip locked))
$$;
revoke all on function remove_expired_results(integer) from public;
grant select on log_archives to console_service;
grant execute on function remove_expired_results(integer) to gateway_service;
