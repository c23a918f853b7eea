-- A command whose output carries a secret is ended where the organization's policy says block (decisions §10).
alter table agent_command_ends drop constraint agent_command_ends_cause_check;
alter table agent_command_ends add constraint agent_command_ends_cause_check check (
  cause in ('interrupted', 'disconnected', 'revoked', 'unreadable', 'duration', 'output', 'disk', 'shutdown', 'secret')
);
