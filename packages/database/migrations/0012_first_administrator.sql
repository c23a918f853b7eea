-- The account `admin`, which the gateway makes at its first start (specification, Account; decisions §3). The gateway's
-- role may not write accounts: it may only call this function, which does nothing once the account exists.
create function install_administrator(account uuid, key uuid, plan uuid, key_digest bytea, key_last_four text) returns boolean
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  unlimited uuid;
begin
  perform pg_advisory_xact_lock(hashtextextended('install_administrator', 7331));
  if exists (select from public.accounts where username = 'admin') then
    return false;
  end if;
  insert into public.plans (id, slug, name, monthly_cap)
    values (plan, 'administrator', 'administrator', null)
    on conflict (slug) do nothing;
  select p.id into strict unlimited from public.plans p where p.slug = 'administrator';
  insert into public.accounts (id, username, origin, plan_id) values (account, 'admin', 'local', unlimited);
  insert into public.account_keys (id, account_id, digest, last_four, label)
    values (key, account, key_digest, key_last_four, 'ADMIN_API_KEY');
  return true;
end
$$;
revoke all on function install_administrator(uuid, uuid, uuid, bytea, text) from public;
grant execute on function install_administrator(uuid, uuid, uuid, bytea, text) to gateway_service;
