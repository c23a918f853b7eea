-- A grant of a role takes one lock, however many grants a transaction makes. A lock for each subject filled the lock table of the
-- server after some ten thousand grants. It is the turn of the administration log, which the entry of each grant needs in any case:
-- so nobody waits for more, and two transactions cannot take two locks in opposite orders.
-- Anybody who holds the lock of a subject ends before the function is replaced.
lock table role_assignments in share row exclusive mode;
create or replace function refuse_administration_with_audit() returns trigger
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'Roles are assigned at isolation level read committed alone.' using errcode = 'invalid_transaction_state';
  end if;
  perform pg_advisory_xact_lock(727003); -- TURN_OF in packages/database/src/audit-log/names.ts
  if exists (
    select from public.role_assignments as held
    where held.subject = new.subject and held.id <> new.id and (held.role = 'auditeur') <> (new.role = 'auditeur')
      and held.role <> 'utilisateur-standard' and new.role <> 'utilisateur-standard'
  ) then
    raise exception 'One subject cannot hold a role of pole administration and a role of pole audit at the same time.'
      using errcode = 'check_violation', constraint = 'administration_excludes_audit';
  end if;
  return new;
end
$$;
