-- Whether a project administrator disabled the account: what an instance administrator disabled, only one of those enables again
-- (decisions §19). Accounts that are disabled already count as disabled by the instance.
alter table accounts add disabled_by_project boolean not null default false;
