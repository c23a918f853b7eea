-- Who was served in a UTC calendar month, on-premise (decisions §5). Seats are numbered, so that the insert itself decides:
-- two first requests for the last seat claim one number, and the table takes it once.
create table license_seats (
  month date not null, -- first day, UTC
  seat integer not null check (seat > 0),
  subject text not null,
  claimed_at timestamptz not null default now(),
  primary key (month, seat),
  unique (month, subject)
);

grant select, insert on license_seats to gateway_service;
grant select on license_seats to console_service;
