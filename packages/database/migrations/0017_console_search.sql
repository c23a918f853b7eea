-- Finds the rare values of the decision log without a b-tree on the way of every relayed call: a summary of every 64 pages says
-- which values cannot be in them. What is common is found soon by reading backwards from the newest entry.
create index authorization_decisions_values on authorization_decisions using brin (
  resource text_bloom_ops (n_distinct_per_range = 100),
  reason text_bloom_ops (n_distinct_per_range = 20),
  permission text_bloom_ops (n_distinct_per_range = 30),
  component text_bloom_ops (n_distinct_per_range = 4),
  request_id text_bloom_ops (n_distinct_per_range = 2000)
) with (pages_per_range = 64, autosummarize);

create index administration_actions_component on administration_actions (component, sequence desc);
