-- One row a session that acts, commands or a revocation named, so that sessions are listed without reading every act.
create table agent_sessions (
  session text primary key,
  subject text, -- as the workstation last declared it; null where nothing but a revocation names the session
  acts bigint not null,
  first_at timestamptz(3) not null,
  last_at timestamptz(3) not null
);
create index agent_sessions_last_at on agent_sessions (last_at desc, session desc);
create index agent_sessions_subject on agent_sessions (subject, last_at desc, session desc);

-- The inserts themselves keep the rows, in one order for all, so that two batches cannot deadlock.
create function note_acts_of_sessions() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into public.agent_sessions as kept (session, subject, acts, first_at, last_at)
  select session, (array_agg(subject order by at desc))[1], count(*), min(at), max(at) from added group by session order by session
  on conflict (session) do update
    set subject = case when excluded.last_at >= kept.last_at or kept.subject is null then excluded.subject else kept.subject end,
        acts = kept.acts + excluded.acts,
        first_at = least(kept.first_at, excluded.first_at),
        last_at = greatest(kept.last_at, excluded.last_at);
  return null;
end
$$;
create trigger note_acts_of_sessions after insert on agent_acts
  referencing new table as added for each statement execute function note_acts_of_sessions();

create function note_commands_of_sessions() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into public.agent_sessions as kept (session, subject, acts, first_at, last_at)
  select session, (array_agg(subject order by started_at desc))[1], 0, min(started_at), max(started_at)
  from added group by session order by session
  on conflict (session) do update
    set subject = coalesce(kept.subject, excluded.subject),
        first_at = least(kept.first_at, excluded.first_at),
        last_at = greatest(kept.last_at, excluded.last_at);
  return null;
end
$$;
create trigger note_commands_of_sessions after insert on agent_commands
  referencing new table as added for each statement execute function note_commands_of_sessions();

create function note_revocation_of_session() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into public.agent_sessions (session, acts, first_at, last_at)
  values (new.session, 0, new.revoked_at, new.revoked_at) on conflict (session) do nothing;
  return null;
end
$$;
create trigger note_revocation_of_session after insert on agent_session_revocations
  for each row execute function note_revocation_of_session();
revoke all on function note_acts_of_sessions(), note_commands_of_sessions(), note_revocation_of_session() from public;

insert into agent_sessions (session, subject, acts, first_at, last_at)
select session, (array_agg(subject order by at desc))[1], count(*) filter (where act), min(at), max(at) from (
  select session, subject, at, true as act from agent_acts
  union all select session, subject, started_at, false from agent_commands
  union all select session, null, revoked_at, false from agent_session_revocations
) named group by session;

grant select on agent_sessions to console_service;
