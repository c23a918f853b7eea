import type { Queryable } from '../client/connect.ts';

/**
 * The statements that make one kind of object again, in an order that does not depend on when they were made. PostgreSQL writes
 * them itself (`pg_get_…def`), so that nothing is omitted by oversight.
 */
type Read = (sql: Queryable) => Promise<readonly { statement: string }[]>;

/** Tables with their columns. What refers to other things follows below, when these exist. */
const tables: Read = (sql) => sql`
  select format(E'create table %I (\n%s\n);', c.relname, string_agg(
      format('  %I %s', a.attname, format_type(a.atttypid, a.atttypmod))
      || case when a.attnotnull then ' not null' else '' end
      || case
           when a.attidentity = 'a' then ' generated always as identity'
           when d.adbin is null then ''
           when a.attgenerated = 's' then format(' generated always as (%s) stored', pg_get_expr(d.adbin, d.adrelid))
           else ' default ' || pg_get_expr(d.adbin, d.adrelid)
         end, E',\n' order by a.attnum)) as statement
  from pg_class c
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
  group by c.relname order by c.relname`;

const views: Read = (sql) => sql`
  select format(E'create view %I as\n%s', relname, pg_get_viewdef(oid)) as statement
  from pg_class where relnamespace = 'public'::regnamespace and relkind = 'v' order by relname`;

/** Keys and checks before references, because a reference needs its key. Not-null constraints are part of the tables. */
const constraints: Read = (sql) => sql`
  select format('alter table %I add constraint %I %s;', r.relname, c.conname, pg_get_constraintdef(c.oid)) as statement
  from pg_constraint c join pg_class r on r.oid = c.conrelid
  where c.connamespace = 'public'::regnamespace and c.contype in ('p', 'u', 'c', 'x', 'f')
  order by c.contype = 'f', r.relname, c.conname`;

/** Indexes that no constraint made. */
const indexes: Read = (sql) => sql`
  select pg_get_indexdef(i.indexrelid) || ';' as statement
  from pg_index i join pg_class c on c.oid = i.indexrelid
  where c.relnamespace = 'public'::regnamespace and not exists (select from pg_constraint where conindid = i.indexrelid)
  order by c.relname`;

const functions: Read = (sql) => sql`
  select pg_get_functiondef(oid) || ';' as statement
  from pg_proc where pronamespace = 'public'::regnamespace order by proname, pg_get_function_identity_arguments(oid)`;

const triggers: Read = (sql) => sql`
  select pg_get_triggerdef(t.oid) || ';' as statement
  from pg_trigger t join pg_class c on c.oid = t.tgrelid
  where c.relnamespace = 'public'::regnamespace and not t.tgisinternal
  order by c.relname, t.tgname`;

/** The privileges of the service roles, and those revoked from PUBLIC. The owner's own rights are implicit. */
const privileges: Read = (sql) => sql`
  with granted as (
    select format('table %I', c.relname) as thing, c.relacl as acl, c.relowner as owner, c.relname as name, 1 as rank
      from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'v')
    union all
    select format('function %I(%s)', p.proname, pg_get_function_identity_arguments(p.oid)), p.proacl, p.proowner, p.proname, 2
      from pg_proc p where p.pronamespace = 'public'::regnamespace
    union all
    select 'schema public', n.nspacl, n.nspowner, '', 0 from pg_namespace n where n.nspname = 'public'
  ), held as (
    select thing, rank, name, grantee, string_agg(lower(privilege_type), ', ' order by privilege_type) as privileges
    from granted, aclexplode(acl) where grantee <> owner group by thing, rank, name, grantee
  ), columns as (
    select format('table %I', c.relname) as thing, 3 as rank, c.relname as name, x.grantee,
      string_agg(lower(x.privilege_type) || format(' (%I)', a.attname), ', ' order by a.attname, x.privilege_type) as privileges
    from pg_attribute a join pg_class c on c.oid = a.attrelid, aclexplode(a.attacl) x
    where c.relnamespace = 'public'::regnamespace and x.grantee <> c.relowner group by c.relname, x.grantee
  )
  select format('grant %s on %s to %s;', privileges, thing,
      case grantee when 0 then 'public' else quote_ident(pg_get_userbyid(grantee)) end) as statement
  from (select * from held union all select * from columns) every_grant
  where grantee <> (select nspowner from pg_namespace where nspname = 'public')
  order by rank, name, pg_get_userbyid(grantee)`;

/** PostgreSQL grants PUBLIC the right to execute a new function; these lost it. */
const revocations: Read = (sql) => sql`
  select format('revoke all on function %I(%s) from public;', proname, pg_get_function_identity_arguments(oid)) as statement
  from pg_proc
  where pronamespace = 'public'::regnamespace
    and proacl is not null and not exists (select from aclexplode(proacl) where grantee = 0)
  order by proname`;

const HEAD = `-- The schema as the last migration leaves it: what a reviewer reads, and what a test compares with the migrations.
-- Made from the catalog of a migrated database; never edited by hand. The service roles exist before it is applied.
`;

/**
 * Describes a migrated database as SQL that makes it again (limits-14). The same schema gives the same text, in any order of its migrations.
 */
export async function dumpSchema(sql: Queryable): Promise<string> {
  const parts: string[] = [];
  for (const read of [tables, views, functions, constraints, indexes, triggers, revocations, privileges])
    parts.push((await read(sql)).map(({ statement }) => statement).join('\n\n'));
  return `${HEAD}\n${parts.filter((part) => part !== '').join('\n\n')}\n`;
}
