-- How long a caller waited for the first byte of the answer's body. Null: there was none, and in older records.
alter table request_logs add column first_token_ms integer; -- from the call's arrival
