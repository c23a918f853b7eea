-- Which gateway runs a command, as long as one does. A gateway shows that it is there by a lock of its connections
-- (pg_advisory_lock_shared), which PostgreSQL lets go of when the process is gone, however it went.
create table running_agent_commands (
  command_id uuid primary key references agent_commands (id),
  gateway integer not null -- second half of that lock's key
);
grant select, insert, delete on running_agent_commands to gateway_service;

-- The end of a command whose gateway is gone is recorded by another one, which cannot know what it took and wrote.
alter table agent_command_ends
  alter column duration_ms drop not null,
  alter column stdout_bytes drop not null,
  alter column stderr_bytes drop not null,
  drop constraint agent_command_ends_cause_check,
  add constraint agent_command_ends_cause_check check (
    cause in (
      'interrupted', 'disconnected', 'revoked', 'unreadable', 'duration', 'output', 'disk', 'shutdown', 'secret', 'lost'
    )
  ),
  add constraint agent_command_ends_known check (
    cause is not distinct from 'lost' or num_nulls(duration_ms, stdout_bytes, stderr_bytes) = 0
  );

-- No command runs longer than a day: those still without an end were left by gateways that are gone.
insert into agent_command_ends (command_id, ended_at, cause)
select id, now(), 'lost' from agent_commands
where started_at < now() - interval '1 day' and not exists (select from agent_command_ends where command_id = id);
