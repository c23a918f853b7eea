-- A session and a subject of the longest names there may be did not fit into one entry of an index together (2704 bytes), so that
-- what named them could not be stored.
drop index agent_sessions_subject;
create index agent_sessions_subject on agent_sessions (subject, last_at desc);
