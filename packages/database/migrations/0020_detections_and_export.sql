-- What looked like a secret in the traffic (decisions §10): kind, place and keyed digest, never the value. A row belongs to the
-- decision of its call. `number` is the order in which the log export reads; gaps mean nothing.
create table secret_detections (
  id uuid primary key,
  number bigint generated always as identity,
  at timestamptz(3) not null,
  decision_id uuid not null,
  place text not null check (place in ('request', 'answer', 'output')),
  kind text not null,
  rule text not null,
  confidence text not null check (confidence in ('high', 'medium')),
  response text not null check (response in ('block', 'mask', 'alert')),
  pointer text, -- RFC 6901; null in what is no JSON
  start_offset bigint not null,
  end_offset bigint not null,
  length bigint not null, -- bytes of the decoded value
  digest bytea not null check (octet_length(digest) = 32),
  occurrences integer not null check (occurrences > 0)
);
create unique index secret_detections_number on secret_detections (number);
create index secret_detections_decision on secret_detections (decision_id);

alter table agent_acts add column number bigint generated always as identity;
create unique index agent_acts_number on agent_acts (number);

-- Numbers are given before a transaction commits, so that a reader may see 8 before 7. It waits until every transaction that
-- was under way has ended, which it can only know of those that have a number of their own before they take one for a row.
create function begin_numbering() returns trigger
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  perform pg_current_xact_id();
  return null;
end
$$;
revoke all on function begin_numbering() from public;
create trigger begin_numbering before insert on secret_detections for each statement execute function begin_numbering();
create trigger begin_numbering before insert on agent_acts for each statement execute function begin_numbering();

-- How far each destination of the log export has confirmed each of its sources (decisions §15).
create table log_export_positions (
  destination text not null,
  source text not null check (source in ('decisions', 'actions', 'detections', 'acts')),
  position bigint not null check (position >= 0),
  exported_at timestamptz(3) not null default now(),
  primary key (destination, source)
);

grant select, insert on secret_detections to gateway_service;
grant select on administration_actions to gateway_service;
grant select, insert, update (position, exported_at) on log_export_positions to gateway_service;
