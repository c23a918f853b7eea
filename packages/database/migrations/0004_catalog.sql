-- What may be called: providers, models, endpoints (specification, Resources).
create table providers (
  id uuid primary key,
  slug text not null unique,
  name text not null,
  base_url text not null,
  api_key_env text, -- the NAME of a variable of the gateway's environment, never a key
  api_key_header text,
  clear_text_acknowledged boolean not null default false,
  created_at timestamptz not null default now(),
  check (lower(base_url) like 'https://%' or clear_text_acknowledged)
);

create table models (
  id uuid primary key,
  provider_id uuid not null references providers (id),
  slug text not null,
  name text not null,
  input_price numeric not null check (input_price >= 0), -- euros per token
  output_price numeric not null check (output_price >= 0), -- euros per token
  created_at timestamptz not null default now(),
  unique (provider_id, slug)
);

create table endpoints (
  id uuid primary key,
  name text not null unique check (name ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$' and name not in ('v', 'ide', '_agent-execution')),
  model_id uuid not null references models (id),
  active boolean not null default true,
  created_at timestamptz not null default now()
);
create index endpoints_model_id on endpoints (model_id);

-- A deleted model keeps its last price: this month's spending still counts what it was used for (decisions §8).
create table deleted_model_prices (
  model_id uuid primary key,
  per_input_token numeric not null,
  per_output_token numeric not null,
  deleted_at timestamptz not null default now()
);
create function keep_price_of_deleted_model() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into public.deleted_model_prices (model_id, per_input_token, per_output_token)
  values (old.id, old.input_price, old.output_price);
  return old;
end
$$;
revoke all on function keep_price_of_deleted_model() from public;
create trigger keep_price_of_deleted_model after delete on models
  for each row execute function keep_price_of_deleted_model();

create view model_prices as
select id as model_id, input_price as per_input_token, output_price as per_output_token from models
union all
select model_id, per_input_token, per_output_token from deleted_model_prices;

grant select on model_prices to gateway_service, console_service;
grant select on providers, models, endpoints to gateway_service;
grant select, insert, update, delete on providers, models, endpoints to console_service;
