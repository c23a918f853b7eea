-- An endpoint may name a standby: a second model, of another provider. It serves a call of which no byte could be sent to the first.
alter table endpoints add column standby_model_id uuid references models (id);
create index endpoints_standby_model_id on endpoints (standby_model_id) where standby_model_id is not null;

create function check_standby_provider() returns trigger
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  -- Locked, so that no provider changes until the transaction ends.
  perform from public.models where id in (new.model_id, new.standby_model_id) for share;
  if exists (
    select from public.models first join public.models second using (provider_id)
    where first.id = new.model_id and second.id = new.standby_model_id
  ) then
    raise exception 'the standby of endpoint % is a model of the same provider', new.name
      using errcode = 'check_violation', schema = 'public', table = 'endpoints', constraint = 'endpoints_standby_provider';
  end if;
  return new;
end
$$;
revoke all on function check_standby_provider() from public;
create trigger check_standby_provider before insert or update of model_id, standby_model_id on endpoints for each row
  when (new.standby_model_id is not null) execute function check_standby_provider();

-- The same where a model moves to another provider.
create function check_moved_model() returns trigger
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  of_endpoint text;
begin
  select endpoint.name into of_endpoint
  from public.endpoints endpoint
    join public.models first on first.id = endpoint.model_id
    join public.models second on second.id = endpoint.standby_model_id
  where new.id in (first.id, second.id) and first.provider_id = second.provider_id limit 1;
  if found then
    raise exception 'the standby of endpoint % is a model of the same provider', of_endpoint
      using errcode = 'check_violation', schema = 'public', table = 'endpoints', constraint = 'endpoints_standby_provider';
  end if;
  return null;
end
$$;
revoke all on function check_moved_model() from public;
create trigger check_moved_model after update of provider_id on models for each row
  when (old.provider_id is distinct from new.provider_id) execute function check_moved_model();

-- The model and the provider of a standby, as the gateway reads them. A subquery would cost every call a tenth of its statement, also to
-- endpoints without a standby. Stable: it sees what the calling statement sees.
create function standby_model(standby uuid) returns text
language plpgsql stable set search_path = pg_catalog, public, pg_temp as $$
begin
  return (
    select json_build_object('modelId', model.id, 'modelSlug', model.slug, 'provider', json_build_object('id', provider.id,
      'slug', provider.slug, 'baseUrl', provider.base_url, 'apiKeyEnv', provider.api_key_env,
      'apiKeyHeader', provider.api_key_header))
    from public.models model join public.providers provider on provider.id = model.provider_id where model.id = standby);
end
$$;
revoke all on function standby_model(uuid) from public;
grant execute on function standby_model(uuid) to gateway_service;
