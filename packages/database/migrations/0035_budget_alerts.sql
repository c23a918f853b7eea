-- Percentages of the cap at which a plan alerts; none: it does not.
alter table plans add column alert_thresholds smallint[] not null default '{}';

-- An account's spending reached a threshold of its plan. The console that inserts the row also appends the entry to the
-- administration log, in the same transaction: one alert a month for each subject and threshold, however many consoles look.
create table budget_alerts (
  id uuid primary key default gen_random_uuid(),
  at timestamptz(3) not null default now(),
  subject text not null,
  month date not null, -- first day, UTC
  threshold smallint not null, -- percent of the cap
  plan text not null, -- slug
  cap numeric not null, -- euros, as `spent`
  spent numeric not null,
  unique (subject, month, threshold)
);
create index budget_alerts_at on budget_alerts (at desc, id desc);
grant select, insert on budget_alerts to console_service;
