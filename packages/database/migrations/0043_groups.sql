-- Groups as an identity provider provisions them (SCIM 2.0, RFC 7643), and the roles that their members get. A name belongs to one
-- group: roles are declared by it.
create table provisioned_groups (
  id uuid primary key,
  display_name text not null check (display_name ~ '^[^[:cntrl:]]{1,250}$'),
  external_id text,
  created_at timestamp(3) with time zone not null default now(),
  modified_at timestamp(3) with time zone not null default now()
);
create unique index provisioned_groups_display_name on provisioned_groups (lower(display_name));
create index provisioned_groups_external_id on provisioned_groups (external_id);
create index provisioned_groups_created_at on provisioned_groups (created_at, id);

create table provisioned_group_members (
  group_id uuid not null references provisioned_groups (id) on delete cascade,
  user_id uuid not null references provisioned_users (id) on delete cascade,
  primary key (group_id, user_id)
);
create index provisioned_group_members_user_id on provisioned_group_members (user_id);

create table group_roles (
  id uuid primary key,
  group_name text not null check (group_name ~ '^[^[:cntrl:]]{1,250}$'), -- need not be provisioned yet
  role text not null check (
    role in ('utilisateur-standard', 'administrateur-de-projet', 'administrateur-d-instance', 'auditeur')
  ),
  project text check (project ~ '^[^[:cntrl:]]{1,255}$'),
  author text not null check (author ~ '^[^[:cntrl:]]{1,255}$'),
  created_at timestamp(3) with time zone not null default now(),
  constraint group_role_project check ((role = 'administrateur-de-projet') = (project is not null))
);
create unique index group_roles_once on group_roles (lower(group_name), role, project) nulls not distinct;

-- The mapping that an assignment comes from; null: a person granted it.
alter table role_assignments add column group_role_id uuid;

grant select, insert, update, delete on provisioned_groups to console_service;
grant select, insert, delete on provisioned_group_members, group_roles to console_service;
