import { describe, expect, it } from 'vitest';
import { readMigrations } from './files.ts';
import { breaksEarlier, changedTables } from './side-by-side.ts';

/** The last migration of the first version: until then no program of an earlier version runs. */
const FIRST_VERSION = 30;

describe('a migration beside programs of the version before', () => {
  it.each([
    'create table added (id uuid primary key, name text not null)',
    'alter table request_logs add column more bigint',
    'alter table request_logs add column more bigint not null default 0, add column other text',
    'alter table request_logs alter column subject drop not null',
    'create index on request_logs (subject)',
    "comment on table request_logs is 'drop table; rename'",
    '-- drop table accounts;\nselect 1',
    'create function f() returns int language sql as $$ select 1; $$',
    'do $body$ begin drop table if exists scratch; end $body$',
  ])('lets them go on: %s', (text) => {
    expect(breaksEarlier(text)).toEqual([]);
  });

  it.each([
    ['drop table accounts', /drops what/],
    ['select 1; DROP VIEW usage', /drops what/],
    ['alter table accounts drop column origin', /drops a column/],
    ['alter table accounts\n  rename column origin to source', /renames/],
    ['alter table accounts rename to people', /renames/],
    ['alter type kind rename value 1 to 2', /renames/],
    ['alter table accounts alter column origin type integer', /type of a column/],
    ['alter table accounts alter origin set data type integer', /type of a column/],
    ['alter table accounts alter column origin set not null', /requires a value/],
    ['alter table accounts add column more text not null', /requires a value/],
    ['alter table accounts add more text default null, add last text not null', /requires a value/],
    ['revoke select on accounts from gateway_service', /takes a right/],
  ])('ends them: %s', (text, reason) => {
    expect(breaksEarlier(text)).toEqual([expect.stringMatching(reason)]);
  });

  it.each([
    ['alter table accounts add more text; create index on accounts (more)', ['accounts']],
    ['create table added (id uuid); create index added_id on added (id); alter table added add more text', []],
    [
      'alter table only accounts add more text; create unique index if not exists i on request_logs using btree (id)',
      ['accounts', 'request_logs'],
    ],
  ])('locks, in %s, %j', (text, names) => {
    expect(changedTables(text)).toEqual(names);
  });

  // Two tables locked one after the other meet statements that read both in another order.
  it('locks one table that services use at most', () => {
    const several = readMigrations()
      .slice(FIRST_VERSION)
      .filter(({ text }) => changedTables(text).length > 1);
    expect(several.map(({ name }) => name)).toEqual([]);
  });

  it('is the only kind there is after the first version', () => {
    const breaking = readMigrations()
      .slice(FIRST_VERSION)
      .filter(({ text }) => breaksEarlier(text).length > 0);
    expect(breaking.map(({ name }) => name)).toEqual([]);
  });
});
