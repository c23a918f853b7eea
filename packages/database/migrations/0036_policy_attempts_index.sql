-- Attempts are listed by their kind, which has an index of its own. Nothing reads this one: docs/indexes.md says what each serves.
drop index policy_attempts_at;
