-- When the license and the certificates of the gateways end, as the gateways report it every ten minutes. A renewal adds a row.
create table reported_expiries (
  kind text not null check (kind in ('license', 'certificate')),
  expires_at timestamptz(3) not null,
  reported_at timestamptz(3) not null default now(),
  primary key (kind, expires_at)
);

-- What verifications of a chain in the console found.
create table chain_verifications (
  id uuid primary key,
  at timestamptz(3) not null default now(),
  chain text not null,
  entries bigint, -- of a whole chain
  broken_at bigint -- sequence of the entry at which the chain breaks; null where it is whole
);
create index chain_verifications_at on chain_verifications (at desc);

grant select, insert, update (reported_at) on reported_expiries to gateway_service;
grant select on reported_expiries to console_service;
grant select, insert on chain_verifications to console_service;
