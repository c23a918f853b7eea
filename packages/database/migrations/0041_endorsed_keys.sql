-- A key that signs is endorsed by the owner, or was registered while the log was empty. A service role that registers a key later cannot
-- make entries that verify: only the owner may write these columns, and the trigger decides them for everybody else.
alter table signing_keys
  add column endorsed_at timestamptz,
  add column endorsed_by text, -- author of the endorsement
  add column empty_logs text[] not null default '{}'; -- logs that had no entry when the key was registered: it may sign in these

create function register_signing_key() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if pg_has_role(session_user, current_user, 'member') and new.registered_at < now() then
    return new; -- of a backup
  end if;
  new.registered_at := now();
  new.endorsed_at := null;
  new.endorsed_by := null;
  new.empty_logs := '{}';
  if pg_has_role(session_user, current_user, 'member') then
    new.endorsed_at := now();
    new.endorsed_by := 'owner role';
  end if;
  if not exists (select from public.authorization_decisions) and not exists (select from public.log_archives where log = 'decisions') then
    new.empty_logs := new.empty_logs || 'authorization_decisions'::text;
  end if;
  if not exists (select from public.administration_actions) then
    new.empty_logs := new.empty_logs || 'administration_actions'::text;
  end if;
  return new;
end
$$;
revoke all on function register_signing_key() from public;

create trigger decide_endorsement before insert on signing_keys
  for each row execute function register_signing_key();

-- Of the keys that are registered already, the one that signed the first entry of a log was there first. The owner endorses the others:
-- nothing here tells the key of a gateway from one that somebody registered with its role.
update signing_keys set empty_logs = empty_logs || 'authorization_decisions'::text
  where id = (
    select key_id from (
      select first_sequence as sequence, seal_key_id as key_id from log_archives where log = 'decisions'
      union all select sequence, key_id from authorization_decision_seals
    ) seals where key_id is not null order by sequence limit 1);
update signing_keys set empty_logs = empty_logs || 'administration_actions'::text
  where id = (select key_id from administration_action_seals order by sequence limit 1);
