-- From this instant on a key is refused; null: until it is revoked.
alter table account_keys add column expires_at timestamptz;
