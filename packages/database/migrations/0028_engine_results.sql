-- How providers answered relayed calls, beside the decision that let each call through: a decision says who may, this says what came
-- of it. Written by the gateway in batches, after the answer; a row that is lost with a process is no entry of any log.
create table upstream_results (
  decision_id uuid primary key,
  at timestamptz(3) not null,
  endpoint text not null,
  provider text not null, -- slug
  status integer, -- of the provider's answer; null where none came
  fault text -- why none came, or why it ended before it was whole
);
create index upstream_results_at on upstream_results (at desc);
create index upstream_results_provider on upstream_results (provider, at desc);

-- When a key last let a call through.
create table key_uses (
  key_id uuid primary key, -- no reference: keys go with their accounts, and this must not hold them
  last_used_at timestamptz(3) not null
);

-- A connection that an administrator wants tested. The gateway alone has the network and the key: it takes the request from here
-- and leaves what it found.
create table provider_tests (
  id uuid primary key,
  provider_id uuid not null references providers (id) on delete cascade,
  requested_by text not null,
  requested_at timestamptz(3) not null default now(),
  taken_at timestamptz(3), -- by a gateway
  finished_at timestamptz(3),
  status integer, -- of the provider's answer
  fault text,
  models text[] -- that it says it serves
);
create index provider_tests_waiting on provider_tests (requested_at) where taken_at is null;

grant select, insert on upstream_results to gateway_service;
grant select, insert, update on key_uses to gateway_service;
grant select, update (taken_at, finished_at, status, fault, models) on provider_tests to gateway_service;
grant select on upstream_results, key_uses to console_service;
grant select, insert on provider_tests to console_service;
