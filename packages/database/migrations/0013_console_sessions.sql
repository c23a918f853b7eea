-- Sign-in to the console through the directory (decisions §14). A browser holds a random secret in a cookie, this database only
-- its SHA-256 digest: whoever reads the database can enter with nothing.
create table console_sign_ins (
  digest bytea primary key check (octet_length(digest) = 32),
  expires_at timestamptz not null
);
create table console_sessions (
  digest bytea primary key check (octet_length(digest) = 32),
  subject text not null check (subject ~ '^[^[:cntrl:]]{1,255}$'),
  started_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index console_sessions_subject on console_sessions (subject);

grant select, insert, delete on console_sign_ins, console_sessions to console_service;
