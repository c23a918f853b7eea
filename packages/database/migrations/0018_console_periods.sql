-- A period of the decision log is read by an index in its order, as every other list is. The summary of instants that stood here
-- found the pages of a period but left them to be read whole and sorted. Instants come in rising order, so an entry costs the
-- index a step at its end.
drop index authorization_decisions_at;
create index authorization_decisions_at on authorization_decisions (at desc, sequence desc);
drop index administration_actions_at;
create index administration_actions_at on administration_actions (at desc, sequence desc);
