-- Who may call: plans, accounts, keys, role assignments (decisions §3 and §6).
create table plans (
  id uuid primary key,
  slug text not null unique,
  name text not null,
  monthly_cap numeric check (monthly_cap >= 0), -- euros; null: no cap
  created_at timestamptz not null default now()
);

create table accounts (
  id uuid primary key,
  username text not null unique check (username ~ '^[^[:cntrl:]]{1,255}$'), -- the subject
  origin text not null default 'local' check (origin in ('local', 'directory')),
  display_name text,
  email text,
  plan_id uuid references plans (id),
  enabled boolean not null default true,
  created_at timestamptz not null default now()
);
create index accounts_plan_id on accounts (plan_id);

create table account_keys (
  id uuid primary key,
  account_id uuid not null references accounts (id) on delete cascade,
  digest bytea not null unique check (octet_length(digest) = 32), -- SHA-256; the key itself is never stored
  last_four text not null,
  label text not null,
  created_at timestamptz not null default now(),
  revoked_at timestamptz
);
create index account_keys_account_id on account_keys (account_id);

create table role_assignments (
  id uuid primary key,
  -- Need not be registered yet: a directory identity may be granted before its first call.
  subject text not null check (subject ~ '^[^[:cntrl:]]{1,255}$'),
  role text not null check (
    role in ('utilisateur-standard', 'administrateur-de-projet', 'administrateur-d-instance', 'auditeur')
  ),
  project text check (project ~ '^[^[:cntrl:]]{1,255}$'),
  author text not null check (author ~ '^[^[:cntrl:]]{1,255}$'),
  granted_at timestamptz not null default now(),
  unique nulls not distinct (subject, role, project),
  constraint project_scope check ((role = 'administrateur-de-projet') = (project is not null))
);

-- Nobody both administers and audits (specification, Roles rule 1). Two concurrent grants to one subject take the same
-- lock, so the second sees the first; it would not in a transaction that reads an older snapshot, which is refused.
create function refuse_administration_with_audit() returns trigger
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'Roles are assigned at isolation level read committed alone.' using errcode = 'invalid_transaction_state';
  end if;
  perform pg_advisory_xact_lock(hashtextextended(new.subject, 7331));
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
create trigger administration_excludes_audit before insert or update on role_assignments
  for each row execute function refuse_administration_with_audit();

grant select on plans, accounts, account_keys, role_assignments to gateway_service;
grant select, insert, update, delete on plans, accounts to console_service;
grant select, insert, delete on role_assignments to console_service;
grant select, insert, update (revoked_at) on account_keys to console_service;
