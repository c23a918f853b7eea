-- The two service roles (specification, Components). Roles belong to the whole server, so another database
-- of the same server may have made them already. They get no password here: the operator sets one.
do $$
begin
  if not exists (select from pg_roles where rolname = 'gateway_service') then
    create role gateway_service login;
  end if;
  if not exists (select from pg_roles where rolname = 'console_service') then
    create role console_service login;
  end if;
exception
  when duplicate_object or unique_violation then null; -- made by a concurrent migration of another database
end
$$;

-- Neither may write where another's statements would find it first: no tables in the schema, none of their own beside it.
revoke all on schema public from public;
do $$ begin execute format('revoke temporary on database %I from public', current_database()); end $$;
grant usage on schema public to gateway_service, console_service;
