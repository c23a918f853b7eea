-- A session has one parent, the first that was stated, within one subject: what somebody states of a session says nothing about a
-- session of another subject, and the way from a session to its root has one branch.
create table agent_session_lineage (
  subject text not null check (char_length(subject) <= 255), -- longer than any account's name; with the session it must fit an index
  session text not null,
  parent_session text not null check (parent_session <> session),
  author text not null, -- who stated it: the subject, proven by its command, or the workstation that declared the act
  stated_at timestamptz not null default now(),
  primary key (subject, session)
);
create index agent_session_lineage_session on agent_session_lineage (session, stated_at);
create index agent_session_lineage_parent on agent_session_lineage (parent_session, subject);

grant select, insert on agent_session_lineage to gateway_service;
grant select on agent_session_lineage to console_service;

-- What the table before says. It named no subject: those who used the session are taken, by acts in the order they came. Of several
-- parents a revoked one is kept, so that the migration frees no session.
insert into agent_session_lineage (subject, session, parent_session, author, stated_at)
with recursive revoked (session) as (
  select session from agent_session_revocations
  union
  select below.session from revoked join agent_session_parents below on below.parent_session = revoked.session
), stated (subject, session, parent_session, at) as (
  select subject, session, parent_session, received_at from agent_acts where parent_session <> session
  union all
  select command.subject, parents.session, parents.parent_session, command.started_at
  from agent_session_parents parents join (
    select subject, session, min(started_at) as started_at from agent_commands group by subject, session
  ) command on command.session = parents.session
  where not exists (
    select from agent_acts act where act.session = parents.session and act.parent_session = parents.parent_session
  )
)
select distinct on (subject, session) subject, session, parent_session, 'migration', at
from stated where char_length(subject) <= 255
order by subject, session, parent_session in (select session from revoked) desc, at;

-- Gateways of the version before run on: what they state is taken over, and what is stated to this version they find in their table.
create function take_lineage_of_acts() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into public.agent_session_lineage (subject, session, parent_session, author)
  select distinct on (subject, session) subject, session, parent_session, 'workstation' from added
  where parent_session <> session and char_length(subject) <= 255 order by subject, session, at
  on conflict do nothing;
  return null;
end
$$;
create trigger take_lineage_of_acts after insert on agent_acts
  referencing new table as added for each statement execute function take_lineage_of_acts();

-- A command's parent came in the same statement: what others stated earlier of a session with this name is not the command's.
create function take_lineage_of_commands() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into public.agent_session_lineage (subject, session, parent_session, author)
  select added.subject, added.session, parents.parent_session, added.subject
  from added join public.agent_session_parents parents
    on parents.session = added.session and parents.xmin = pg_current_xact_id()::xid
  where char_length(added.subject) <= 255
  on conflict do nothing;
  return null;
end
$$;
create trigger take_lineage_of_commands after insert on agent_commands
  referencing new table as added for each statement execute function take_lineage_of_commands();

create function keep_parents_of_sessions() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into public.agent_session_parents (session, parent_session)
  select distinct session, parent_session from added order by session, parent_session on conflict do nothing;
  return null;
end
$$;
create trigger keep_parents_of_sessions after insert on agent_session_lineage
  referencing new table as added for each statement execute function keep_parents_of_sessions();
revoke all on function take_lineage_of_acts(), take_lineage_of_commands(), keep_parents_of_sessions() from public;

-- A session is listed with the subject that named it first: no later act describes the session of somebody else.
create or replace function note_acts_of_sessions() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into public.agent_sessions as kept (session, subject, acts, first_at, last_at)
  select session, (array_agg(subject order by at))[1], count(*), min(at), max(at) from added group by session order by session
  on conflict (session) do update
    set subject = coalesce(kept.subject, excluded.subject),
        acts = kept.acts + excluded.acts,
        first_at = least(kept.first_at, excluded.first_at),
        last_at = greatest(kept.last_at, excluded.last_at);
  return null;
end
$$;
