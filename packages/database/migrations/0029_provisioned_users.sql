-- Users as an identity provider provisions them (SCIM 2.0, RFC 7643). One of them stands for one subject; whether that subject is
-- refused is in subject_revocations alone.
create table provisioned_users (
  id uuid primary key,
  subject text not null unique check (subject ~ '^[^[:cntrl:]]{1,255}$'),
  user_name text not null,
  external_id text,
  active boolean not null,
  attributes jsonb not null, -- displayName, name, emails
  created_at timestamp(3) with time zone not null default now(),
  modified_at timestamp(3) with time zone not null default now()
);
create unique index provisioned_users_user_name on provisioned_users (lower(user_name));
create index provisioned_users_external_id on provisioned_users (external_id);
create index provisioned_users_created_at on provisioned_users (created_at, id);
grant select, insert, update, delete on provisioned_users to console_service;
