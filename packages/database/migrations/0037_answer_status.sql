-- The status of each answer, in a record that is written anyway: a call that went well needs no row of upstream_results then.
alter table request_logs add column upstream_status integer; -- of the provider's answer; null in older records
