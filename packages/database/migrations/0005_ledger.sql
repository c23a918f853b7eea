-- The two chained, sealed logs (decisions §7). Nobody but the owner can change or erase a row; verification detects the owner.
create table signing_keys (
  id text primary key, -- SHA-256 of the public key's SPKI form, hexadecimal
  public_key text not null, -- PEM
  component text not null,
  registered_at timestamptz not null default now()
);

create table authorization_decisions (
  sequence bigint primary key,
  id uuid not null unique,
  at timestamptz(3) not null,
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
  digest bytea not null,
  -- One constraint: the server reads each anew for every statement, and this one lies on every caller's path.
  constraint closed_lists check (credential in ('key', 'token', 'none') and outcome in ('granted', 'refused'))
);

create table authorization_decision_seals (
  sequence bigint primary key, -- of the entry whose digest is signed; it covers every entry since the seal before it
  key_id text not null, -- of signing_keys; no reference, which would cost every append a lock: verification finds an unknown key
  signature bytea not null,
  sealed_at timestamptz not null default now()
);

create table administration_actions (
  sequence bigint primary key,
  id uuid not null unique,
  at timestamptz(3) not null,
  component text not null,
  author text not null check (author ~ '^[^[:cntrl:]]{1,255}$'),
  action text not null,
  target text not null,
  old_value text check (old_value is null or old_value::json is not null), -- canonical JSON
  new_value text check (new_value is null or new_value::json is not null),
  previous bytea not null check (octet_length(previous) = 32),
  digest bytea not null check (octet_length(digest) = 32)
);

create table administration_action_seals (
  sequence bigint primary key,
  key_id text not null references signing_keys (id),
  signature bytea not null,
  sealed_at timestamptz not null default now()
);

grant select, insert on signing_keys, authorization_decisions, authorization_decision_seals to gateway_service;
grant select on signing_keys, authorization_decisions, authorization_decision_seals to console_service;
grant select, insert on administration_actions, administration_action_seals to console_service;
grant insert on signing_keys, authorization_decisions, authorization_decision_seals to console_service;
