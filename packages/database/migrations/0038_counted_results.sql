-- A row for every relayed call took a fifth of PostgreSQL's time for one. Calls that went well are counted now: one row for those of
-- a second with the same endpoint, provider and status. A failed call keeps a row of its own.
alter table upstream_results add column calls integer not null default 1; -- with this result; decision_id is the first one's
