-- The Merkle tree over each log, in tiles of up to 256 hashes (RFC 6962, C2SP tlog-tiles; decisions §25). It is built behind the
-- logs, and can be built again from them at any time.
create table log_tiles (
  chain text not null check (chain in ('authorization_decisions', 'administration_actions')),
  level integer not null check (level >= 0),
  tile bigint not null check (tile >= 0),
  hashes bytea not null check (octet_length(hashes) >= 32 and octet_length(hashes) <= 8192 and octet_length(hashes) % 32 = 0),
  primary key (chain, level, tile)
);
-- Hashes cannot be compressed.
alter table log_tiles alter column hashes set storage external;

-- What distinguishes these logs from those of other installations, in the origin of their checkpoints. A restored backup keeps it.
create table log_instance (
  instance text primary key check (instance ~ '^[0-9a-f]{16}$')
);
insert into log_instance values (substr(replace(gen_random_uuid()::text, '-', ''), 17));

-- Appends hashes to tiles: a service may extend the tree, and change no hash in it. It fails where a tile has not the `first`
-- hashes that its writer read.
create function extend_log_tiles(of_chain text, levels integer[], tiles bigint[], firsts integer[], pieces text[]) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  extended bigint;
  begun bigint;
begin
  update public.log_tiles stored set hashes = stored.hashes || decode(more.piece, 'hex')
  from unnest(levels, tiles, firsts, pieces) as more (level, tile, first, piece)
  where stored.chain = of_chain and stored.level = more.level and stored.tile = more.tile
    and more.first > 0 and octet_length(stored.hashes) = more.first * 32;
  get diagnostics extended = row_count;
  insert into public.log_tiles (chain, level, tile, hashes)
  select of_chain, more.level, more.tile, decode(more.piece, 'hex')
  from unnest(levels, tiles, firsts, pieces) as more (level, tile, first, piece) where more.first = 0
  on conflict do nothing;
  get diagnostics begun = row_count;
  if extended + begun <> cardinality(levels) then
    raise exception 'the stored tree of % has other tiles than were read', of_chain using errcode = 'data_exception';
  end if;
end
$$;
revoke all on function extend_log_tiles(text, integer[], bigint[], integer[], text[]) from public;
grant execute on function extend_log_tiles(text, integer[], bigint[], integer[], text[]) to gateway_service, console_service;
grant select on log_tiles, log_instance to gateway_service, console_service;
