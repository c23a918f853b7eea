-- Imports of accounts, so that all keys that one of them made can be revoked together. An import is several requests with one id.
create table account_imports (
  id uuid primary key,
  author text not null,
  started_at timestamptz(3) not null default now()
);
create index account_imports_started_at on account_imports (started_at, id);
alter table account_keys add column import_id uuid references account_imports (id);
create index account_keys_import_id on account_keys (import_id) where import_id is not null;

grant select, insert on account_imports to console_service;
