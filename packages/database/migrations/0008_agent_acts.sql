-- What agents did, as workstations tell it (specification, Agent act): a target, never parameters or content.
create table agent_acts (
  id uuid primary key,
  session text not null,
  parent_session text,
  subject text not null,
  at timestamptz(3) not null,
  tool text not null,
  target_kind text not null check (target_kind in ('path', 'command', 'host')),
  target_value text not null,
  authorized_by text not null check (authorized_by in ('policy', 'human', 'automatic')),
  outcome text not null check (outcome in ('succeeded', 'failed', 'refused', 'interrupted')),
  reason text check (char_length(reason) <= 300),
  received_at timestamptz(3) not null default now()
);
create index agent_acts_at on agent_acts (at desc, id);
create index agent_acts_session on agent_acts (session, at desc);
create index agent_acts_subject on agent_acts (subject, at desc);

grant select, insert on agent_acts to gateway_service;
grant select on agent_acts to console_service;
