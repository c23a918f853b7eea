-- Auditors read the detections of secrets in the console, as they read every other log: by kind, place and period, the newest
-- first.
grant select on secret_detections to console_service;
create index secret_detections_at on secret_detections (at desc, id desc);
create index secret_detections_kind on secret_detections (kind, at desc, id desc);
