-- Who may no longer call (specification, Revocation list; decisions §12).
create table subject_revocations (
  id uuid primary key,
  subject text not null,
  reason text not null,
  author text not null,
  revoked_at timestamptz not null default now(),
  lifted_at timestamptz,
  lifted_by text,
  lift_reason text,
  check ((lifted_at is null) = (lifted_by is null))
);
create unique index subject_revocations_in_force on subject_revocations (subject) where lifted_at is null;

create table agent_session_revocations (
  session text primary key,
  reason text not null,
  author text not null,
  revoked_at timestamptz not null default now()
);

-- Which session descends from which, as acts and commands told. A revoked session takes all below it, also those
-- that appear later, so the tree is walked at every question.
create table agent_session_parents (
  session text not null,
  parent_session text not null,
  primary key (session, parent_session)
);

grant select on subject_revocations, agent_session_revocations, agent_session_parents to gateway_service, console_service;
grant insert on agent_session_parents to gateway_service;
grant insert, update (lifted_at, lifted_by, lift_reason) on subject_revocations to console_service;
grant insert on agent_session_revocations to console_service;
