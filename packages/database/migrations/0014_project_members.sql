-- Who belongs to which project. A project is the name that a project administrator's role is scoped to (specification, Role assignment).
create table project_members (
  project text not null check (project ~ '^[^[:cntrl:]]{1,255}$'),
  subject text not null check (subject ~ '^[^[:cntrl:]]{1,255}$'),
  added_by text not null,
  added_at timestamptz not null default now(),
  primary key (project, subject)
);
create index project_members_subject on project_members (subject);

grant select, insert, delete on project_members to console_service;
