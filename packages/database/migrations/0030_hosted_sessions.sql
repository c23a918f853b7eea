-- A session in the hosted console begins with the shared pair or with an account key. It ends with its key. Of the pair's session the
-- digest is made with the pair itself, so that another password ends it.
alter table console_sessions
  add column kind text not null default 'directory' check (kind in ('directory', 'pair', 'key')),
  add column key_id uuid references account_keys (id) on delete cascade,
  add constraint key_of_session check ((kind = 'key') = (key_id is not null));
