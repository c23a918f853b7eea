-- Which of the variables that providers name for their keys are set where a gateway runs: names, never values. A gateway writes its
-- own row, and deletes rows that were not repeated for a day.
create table reported_key_variables (
  gateway text primary key, -- host name and port
  present text[] not null,
  absent text[] not null,
  reported_at timestamptz(3) not null default now()
);
grant select, insert, update, delete on reported_key_variables to gateway_service;
grant select on reported_key_variables to console_service;

-- A connection can be tested before a provider is declared with it.
alter table provider_tests
  alter column provider_id drop not null,
  add column base_url text,
  add column api_key_env text,
  add column api_key_header text,
  add constraint provider_tests_target check ((provider_id is null) = (base_url is not null));
