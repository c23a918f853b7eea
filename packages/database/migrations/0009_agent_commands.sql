-- What the gateway ran for agents (specification, Command): that it ran, never its words nor its output. The end is a row
-- of its own, so that the gateway never needs the right to change one.
create table agent_commands (
  id uuid primary key, -- of the decision that let it start
  subject text not null,
  session text not null,
  interpreter text not null,
  started_at timestamptz(3) not null
);
create index agent_commands_started_at on agent_commands (started_at desc, id desc);
create index agent_commands_subject on agent_commands (subject, started_at desc, id desc);
create index agent_commands_session on agent_commands (session, started_at desc, id desc);

create table agent_command_ends (
  command_id uuid primary key references agent_commands (id),
  ended_at timestamptz(3) not null,
  code integer, -- null where a signal ended it or it never ran
  signal text,
  cause text check (
    cause in ('interrupted', 'disconnected', 'revoked', 'unreadable', 'duration', 'output', 'disk', 'shutdown')
  ), -- why the gateway ended it; null where it ended by itself
  fault text, -- why it never ran, or which limit of the sandbox ended it
  duration_ms bigint not null check (duration_ms >= 0),
  stdout_bytes bigint not null check (stdout_bytes >= 0),
  stderr_bytes bigint not null check (stderr_bytes >= 0)
);

-- A caller may reach another gateway than the one that runs its command: the wish is left here for that one.
create table agent_command_interruptions (
  command_id uuid primary key references agent_commands (id),
  asked_at timestamptz(3) not null default now()
);

grant select, insert on agent_commands, agent_command_ends, agent_command_interruptions to gateway_service;
grant select on agent_commands, agent_command_ends, agent_command_interruptions to console_service;
