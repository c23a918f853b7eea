-- What narrows the matrix, and what an organization imposes on its workstations (decisions §6 and §12).
create table authorization_policies (
  revision integer primary key check (revision > 0), -- the highest is in force
  cedar text not null,
  -- An empty set lifts every restriction. Kept beside the text, so that asking which revision is in force need not read it.
  restricts boolean not null generated always as (cedar ~ '\S') stored,
  author text not null,
  installed_at timestamptz not null default now()
);

create table organizations (
  id uuid primary key,
  slug text not null unique,
  name text not null,
  created_at timestamptz not null default now()
);

create table organization_policies (
  organization_id uuid not null references organizations (id),
  revision integer not null check (revision > 0), -- the highest is the one served
  document jsonb not null,
  produced_at timestamptz(3) not null default now(),
  valid_from timestamptz(3),
  valid_until timestamptz(3),
  author text not null,
  primary key (organization_id, revision),
  check (valid_from is null or valid_until is null or valid_from < valid_until)
);

-- Every attempt to install a policy of either kind, refused ones included, with its author.
create table policy_attempts (
  id uuid primary key,
  at timestamptz(3) not null default now(),
  kind text not null check (kind in ('authorization', 'organization')),
  organization text, -- slug as given, for the second kind
  author text not null,
  outcome text not null check (outcome in ('installed', 'refused')),
  revision integer, -- where installed
  fault text, -- where refused: what was wrong and where
  document text not null -- what was handed in
);
create index policy_attempts_at on policy_attempts (at desc, id);

grant select on authorization_policies, organizations, organization_policies to gateway_service;
grant select, insert on authorization_policies, organizations, organization_policies, policy_attempts to console_service;
