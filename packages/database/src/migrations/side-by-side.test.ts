import { describe, expect, it } from 'vitest';
import { readMigrations } from './registry.ts';
import { breaksEarlier, findChangedTables } from './upgrade-check.ts';

/** The last migration of the first version: until then no program of an earlier version runs. */
const FIRST_VERSION = 30;

describe('a migration beside programs of the previous version', () => {
  it.each([
    'create table added (id uuid primary key, name text not null); create index on added (name)',
    'alter table request_logs add column more bigint',
    'alter table request_logs add column more bigint not null default 0, add column other numeric(10, 2)',
    'alter table request_logs add column more bigserial not null',
    'alter table request_logs alter column subject drop not null, drop constraint bounds',
    'create table added (id int); alter table added add constraint one unique (id); grant select on added to gateway_service',
    "comment on table request_logs is 'drop table; rename'",
    "-- drop table accounts;\ncreate type kind as enum ('a')",
    'create function f() returns int language sql as $$ select 1; $$',
    'lock table accounts in share row exclusive mode',
    'drop index accounts_plan_id',
    'create table added (id int); insert into added values (1)',
    'create or replace function refuse_administration_with_audit() returns trigger language sql as $$ select 1 $$',
    'create function f(a int) returns int language sql as $$ select 1 $$; revoke all on function f(integer) from public',
  ])('lets them continue: %s', (text) => {
    expect(breaksEarlier(text)).toEqual([]);
  });

  it.each([
    'drop table accounts',
    'drop schema more cascade',
    'drop materialized view sums',
    'drop policy one on accounts',
    'truncate accounts',
    'alter table accounts drop column origin',
    'alter table accounts drop origin',
    'alter table accounts rename column origin to source',
    'alter table accounts rename to people',
    'alter table accounts set schema other',
    'alter table accounts enable row level security',
    'alter table accounts alter column origin type integer',
    'alter table accounts alter column origin set not null',
    'alter table accounts alter column origin drop default',
    'alter table accounts add column more text not null',
    'alter table accounts add column more numeric(10,2) not null',
    'alter table accounts add more text default null, add last text not null',
    'alter table accounts add column more uuid primary key',
    'alter table accounts add constraint one unique (username)',
    'alter table accounts add check (length(username) > 1)',
    'alter table accounts add foreign key (plan_id) references plans (id)',
    'create unique index on accounts (username)',
    'create index on request_logs (subject)',
    'create or replace function f() returns int language sql as $$ select 1 $$',
    'lock table accounts',
    'drop index accounts_plan_id cascade',
    'drop index concurrently accounts_plan_id',
    'lock table accounts in access exclusive mode',
    'create trigger t before insert on accounts execute function f()',
    'alter type kind rename value 1 to 2',
    'alter role gateway_service nologin',
    'revoke select on accounts from gateway_service',
    'revoke all on function f(integer) from public',
    'do $body$ begin drop table accounts; end $body$',
    'update accounts set enabled = false',
    'update signing_keys set public_key = null',
    'insert into accounts (id) values (1)',
  ])('is not known to let them continue: %s', (text) => {
    expect(breaksEarlier(`comment on table accounts is 'x'; ${text};`)).toHaveLength(1);
  });

  it.each([
    ['alter table accounts add more text; create index on accounts (more)', ['accounts']],
    ['drop index one; drop index if exists other', ['one', 'other']],
    ['lock table accounts in share row exclusive mode; alter table plans add note text', ['accounts', 'plans']],
    ['create table added (id uuid); create index added_id on added (id); alter table added add more text', []],
    [
      'alter table only accounts add more text; create unique index if not exists i on request_logs using btree (id)',
      ['accounts', 'request_logs'],
    ],
  ])('locks, in %s, %j', (text, names) => {
    expect(findChangedTables(text)).toEqual(names);
  });

  // Two tables locked one after the other can deadlock with statements that read both in another order.
  it('locks one table that services use at most', () => {
    const several = readMigrations()
      .slice(FIRST_VERSION)
      .filter(({ text }) => findChangedTables(text).length > 1);
    expect(several.map(({ name }) => name)).toEqual([]);
  });

  it('is the only kind there is after the first version', () => {
    const breaking = readMigrations()
      .slice(FIRST_VERSION)
      .filter(({ text }) => breaksEarlier(text).length > 0);
    expect(breaking.map(({ name }) => name)).toEqual([]);
  });
});
