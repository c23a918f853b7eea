import type { Queryable } from '../client/connect.ts';
import { NEEDED, PROTECTED_TABLES, SERVICE_ROLES, type Service } from './protected.ts';

interface RoleRow {
  readonly name: string;
  /** The role that connected, or the one its settings turned it into (`alter role … set role`): it can turn back. */
  readonly itself: boolean;
  readonly superuser: boolean;
  readonly createrole: boolean;
  readonly createdb: boolean;
  readonly replication: boolean;
  readonly bypassrls: boolean;
  readonly ownsDatabase: boolean;
  readonly ownsSchema: boolean;
  readonly ownedTable: string | null;
  readonly createsInSchema: boolean;
  readonly silencesTriggers: boolean;
}

/** Every role the connection is or can become (`set role`), whether or not it inherits. */
async function rolesOf(sql: Queryable): Promise<readonly RoleRow[]> {
  return sql<RoleRow[]>`
    select role.rolname as name, role.rolname in (current_user, session_user) as itself, role.rolsuper as superuser,
      role.rolcreaterole as createrole, role.rolcreatedb as createdb, role.rolreplication as replication,
      role.rolbypassrls as bypassrls,
      exists (select from pg_database where datname = current_database() and datdba = role.oid) as "ownsDatabase",
      exists (select from pg_namespace where nspname = 'public' and nspowner = role.oid) as "ownsSchema",
      (select min(relname) from pg_class where relnamespace = 'public'::regnamespace and relowner = role.oid)
        as "ownedTable",
      has_schema_privilege(role.oid, 'public', 'CREATE') as "createsInSchema",
      has_parameter_privilege(role.oid, 'session_replication_role', 'SET') as "silencesTriggers"
    from pg_roles role
    where role.rolname in (current_user, session_user)
      or exists (select from pg_roles own where own.rolname in (current_user, session_user) and not own.rolsuper
        and pg_has_role(own.oid, role.oid, 'MEMBER'))
    order by role.rolname = session_user desc, itself desc, name`;
}

/** Predefined roles whose members write, run or replicate regardless of table grants. */
const POWERFUL_ROLES: readonly string[] = [
  'pg_write_all_data',
  'pg_execute_server_program',
  'pg_write_server_files',
  'pg_maintain',
  'pg_checkpoint',
  'pg_create_subscription',
];

function powersOf(role: RoleRow): readonly string[] {
  const held: readonly (readonly [boolean, string])[] = [
    [role.superuser, 'is a superuser'],
    [role.ownsDatabase, 'owns the database'],
    [role.ownsSchema && !role.ownsDatabase, 'owns the schema public'],
    [role.ownedTable !== null, `owns the table ${role.ownedTable}`],
    [role.createrole, 'may create roles (CREATEROLE)'],
    [role.replication, 'may replicate the whole server (REPLICATION)'],
    [role.bypassrls, 'bypasses row security (BYPASSRLS)'],
    [role.createdb, 'may create databases (CREATEDB)'],
    [POWERFUL_ROLES.includes(role.name), `carries the rights of ${role.name}`],
    [role.createsInSchema, 'may create objects in the schema public'],
    [role.silencesTriggers && !role.superuser, 'may switch off triggers (session_replication_role)'],
  ];
  return held.flatMap(([holds, words]) => (holds ? [words] : []));
}

/** What any of these roles may do to the protected tables besides reading and adding. */
async function writesOf(sql: Queryable, roles: readonly string[]): Promise<readonly string[]> {
  const rows = await sql<{ what: string }[]>`
    select distinct privilege || ' on ' || relation.relname as what
    from pg_class relation, pg_roles role, unnest(array['UPDATE', 'DELETE', 'TRUNCATE', 'TRIGGER']) privilege
    where relation.relnamespace = 'public'::regnamespace and relation.relname in ${sql([...PROTECTED_TABLES])}
      and role.rolname in ${sql([...roles])}
      and (has_table_privilege(role.oid, relation.oid, privilege)
        or (privilege = 'UPDATE' and has_any_column_privilege(role.oid, relation.oid, privilege)))
    order by 1`;
  return rows.map(({ what }) => what);
}

function lacking(what: string, service: Service): string {
  return (
    `The database role lacks ${what}: the service-role migration was not applied for it. ` +
    `Connect as ${SERVICE_ROLES[service]}, or run: gatewayctl migrate. ` +
    'Where that was done, the database was restored on a server that had not this role yet: restore the backup again.'
  );
}

async function missing(sql: Queryable, service: Service): Promise<readonly string[]> {
  const [schema] = await sql<{ enters: boolean }[]>`select has_schema_privilege('public', 'USAGE') as enters`;
  if (!schema?.enters) return [lacking('USAGE on the schema public', service)];
  const names = [...PROTECTED_TABLES, ...NEEDED[service].map(([table]) => table)];
  const absent = await sql<{ name: string }[]>`
    select name from unnest(${names}::text[]) name where to_regclass('public.' || name) is null`;
  if (absent.length > 0)
    return ['The service-role migration was not applied to this database. Run: gatewayctl migrate'];
  const faults: string[] = [];
  for (const [table, privilege] of NEEDED[service]) {
    const [row] = await sql<{ may: boolean }[]>`select has_table_privilege(${`public.${table}`}, ${privilege}) as may`;
    if (!row?.may) faults.push(`${privilege} on ${table}`);
  }
  return faults.length === 0 ? [] : [lacking(faults.join(', '), service)];
}

function sentence(roleName: string, powers: readonly string[], service: Service): string {
  return (
    `The database role ${roleName} ${powers.join('; ')}: it could rewrite or erase billed consumption or audit logs. ` +
    `Connect as the ${service}'s own role, ${SERVICE_ROLES[service]}.`
  );
}

/**
 * Whether the role of this connection has the right privileges for a service (refusals-24): it must be able to read and insert,
 * but not, itself or as another role, to rewrite or erase billed consumption or audit logs.
 * @returns one sentence for any number of excess rights; empty where the role is correct.
 */
export async function checkLeastPrivilege(sql: Queryable, service: Service): Promise<readonly string[]> {
  const roles = await rolesOf(sql);
  const name = roles.find(({ itself }) => itself)?.name ?? 'of this connection';
  const powers = roles.flatMap((role) => {
    const held = powersOf(role).join(', ');
    if (held === '') return [];
    return [role.name === name ? held : `through the role ${role.name}, which it may become, ${held}`];
  });
  if (powers.length > 0) return [sentence(name, powers, service)]; // these include every privilege below
  const writes = await writesOf(
    sql,
    roles.map((role) => role.name),
  );
  if (writes.length > 0) return [sentence(name, [`has ${writes.join(', ')}`], service)];
  return missing(sql, service);
}
