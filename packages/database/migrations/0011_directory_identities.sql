-- One registry holds local accounts and directory identities (decisions §3). The gateway enters an identity when it first meets
-- one, so that an operator sees it and can disable it; it may enter nothing else, and change nothing.
create function register_directory_identity(id uuid, subject text) returns void
language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  insert into public.accounts (id, username, origin) values (id, subject, 'directory') on conflict do nothing
$$;
revoke all on function register_directory_identity(uuid, text) from public;
grant execute on function register_directory_identity(uuid, text) to gateway_service;
