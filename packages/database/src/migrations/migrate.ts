import { setTimeout as pause } from 'node:timers/promises';
import { errorMessage } from '@gateway/contract/error-code';
import postgres from 'postgres';
import {
  type DatabaseAddress,
  OWN_SEARCH_PATH,
  parseDatabaseAddress,
  type Queryable,
  type Sql,
  withPool,
} from '../client/connect.ts';
import { isRefusedStatement } from '../client/unavailable.ts';
import { SERVICE_ROLES } from './protected.ts';
import {
  type AppliedMigration,
  assertRegistryIsKnown,
  type Migration,
  openRegistry,
  readMigrations,
  readRegistry,
  register,
  SchemaFault,
  showRegistryToServices,
} from './registry.ts';

/**
 * How long a migration waits for the lock of a table. Anybody who needs the table next waits behind it, and a call gives up after a second.
 */
const LOCK_WAIT = '300ms';
/** Tries of one migration, and milliseconds between two of them. */
const TRIES = 120;
const BETWEEN_TRIES = 500;

export interface MigrationStatus {
  readonly number: number;
  readonly name: string;
  readonly state: 'applied' | 'baseline' | 'pending';
  readonly appliedAt: Date | null;
}

/** The owner's address, as a text or checked already (with an authority of its own). */
export type Owner = string | DatabaseAddress;

export function withOwner<Result>(owner: Owner, work: (sql: Sql) => Promise<Result>): Promise<Result> {
  const address = typeof owner === 'string' ? parseDatabaseAddress(owner) : owner;
  return withPool(address, { max: 1, applicationName: 'gatewayctl migrate' }, async (sql) => {
    await assertDatabaseFits(sql);
    return work(sql);
  });
}

async function holdsSchema(sql: Queryable): Promise<boolean> {
  const [found] = await sql`select to_regclass('authorization_decisions') is not null as here`;
  return found?.['here'] === true;
}

/** Applies the first pending migration in one transaction; false when there is none. */
async function applyNext(sql: Sql, known: readonly Migration[], applied: Migration[]): Promise<boolean> {
  const next = await sql.begin(async (transaction) => {
    await openRegistry(transaction);
    const registry = await readRegistry(transaction);
    assertRegistryIsKnown(registry, known);
    if (registry.length === 0 && (await holdsSchema(transaction))) {
      throw new SchemaFault(
        'The database holds a schema of this product, but no registry of its migrations. Where the schema is current, ' +
          `record it once: gatewayctl migrate --baseline ${known.length}`,
      );
    }
    await assertServiceRoles(transaction, registry.length > 0);
    const pending = known[registry.length];
    if (!pending) return undefined;
    await transaction.unsafe(`set local lock_timeout = '${LOCK_WAIT}'`);
    await transaction.unsafe(pending.text).catch((error: unknown) => {
      throw isRefusedStatement(error) && !isLocked(error) ? faultOf(pending, error) : error;
    });
    await register(transaction, pending, false);
    await showRegistryToServices(transaction);
    return pending;
  });
  if (next) applied.push(next);
  return next !== undefined;
}

/** PostgreSQL gave up waiting for a lock, or ended a deadlock. */
function isLocked(error: unknown): boolean {
  return error instanceof postgres.PostgresError && ['55P03', '40P01'].includes(error.code);
}

/** What PostgreSQL refused of a migration. */
function faultOf({ name }: Migration, cause: unknown): SchemaFault {
  const reason = errorMessage(cause);
  return new SchemaFault(`Migration ${name} failed, and nothing of it was applied: ${reason}`, { cause });
}

/** Yields to running services that have locks the migration needs, and retries. */
async function applyBesideServices(sql: Sql, known: readonly Migration[], applied: Migration[]): Promise<boolean> {
  for (let left = TRIES; ; left -= 1) {
    try {
      return await applyNext(sql, known, applied);
    } catch (error) {
      if (!isLocked(error)) throw error;
      if (left === 1) {
        throw new SchemaFault(
          `A migration could not lock its tables in ${TRIES} tries: other statements hold them (pg_locks, pg_stat_activity). ` +
            'Nothing of it was applied. End those statements, then run it again.',
        );
      }
    }
    await pause(BETWEEN_TRIES);
  }
}

/**
 * Applies pending migrations, each in its own transaction, and returns them. Concurrent runs take turns: each migration is
 * applied once.
 * @throws SchemaFault when the database is newer than this program or a migration was edited.
 */
export async function migrate(owner: Owner, known = readMigrations()): Promise<readonly Migration[]> {
  return withOwner(owner, async (sql) => {
    const applied: Migration[] = [];
    while (await applyBesideServices(sql, known, applied));
    return applied;
  });
}

/** Every migration of this program, and the database's state of each. */
export async function migrationStatus(owner: Owner, known = readMigrations()): Promise<readonly MigrationStatus[]> {
  const registry = await withOwner(owner, readRegistry);
  assertRegistryIsKnown(registry, known);
  return known.map(({ number, name }) => {
    const entry: AppliedMigration | undefined = registry[number - 1];
    const state = entry ? (entry.baseline ? 'baseline' : 'applied') : 'pending';
    return { number, name, state, appliedAt: entry?.appliedAt ?? null };
  });
}

/**
 * Records every migration as applied without running any: once, for a database whose schema is already current
 * (client-29). `number` must be that of the last migration.
 */
export async function baseline(owner: Owner, number: number, known = readMigrations()): Promise<void> {
  if (number !== known.length) {
    throw new SchemaFault(`The baseline must be the number of the last migration, ${known.length}, not ${number}.`);
  }
  await withOwner(owner, async (sql) => {
    await sql.begin(async (transaction) => {
      await openRegistry(transaction);
      if ((await readRegistry(transaction)).length > 0) {
        throw new SchemaFault('The migration registry already has entries: a baseline is for a database without any.');
      }
      if (!(await holdsSchema(transaction))) {
        throw new SchemaFault('The database contains no schema of this product yet: run migrate without --baseline.');
      }
      for (const migration of known) await register(transaction, migration, true);
      await showRegistryToServices(transaction);
    });
  });
}

/**
 * Roles belong to the server and are in no backup of a database. The first migration makes them, for which the owner needs
 * a right of its own; a database that was restored where they are absent has lost what they may do in it.
 * @throws SchemaFault with what gives the roles.
 */
export async function assertServiceRoles(transaction: Queryable, isMigrated: boolean): Promise<void> {
  const names = Object.values(SERVICE_ROLES);
  const absent = await transaction<{ name: string }[]>`
    select name from unnest(${names}::text[]) name
    where not exists (select from pg_roles where rolname = name)`;
  if (absent.length === 0) return;
  const missing = `This server has ${absent.map(({ name }) => `no role ${name}`).join(' and ')}`;
  if (isMigrated) {
    throw new SchemaFault(
      `${missing}. Roles are in no backup of a database: make both (create role NAME login), then restore the backup again.`,
    );
  }
  const [owner] = await transaction<{ name: string; makes: boolean }[]>`
    select quote_ident(rolname) as name, rolcreaterole or rolsuper as makes from pg_roles where rolname = current_user`;
  if (owner?.makes) return;
  throw new SchemaFault(
    `${missing}, and ${owner?.name} may not make them. As a superuser: alter role ${owner?.name} createrole`,
  );
}

/** The number of the last migration this program was written for. A test compares it with the migrations folder. */
export const SCHEMA_VERSION = 47;

/**
 * The check of a service before it serves: the schema is exactly the expected one. Built programs contain no migration files, so
 * only the number is compared.
 * @throws SchemaFault with a sentence a person can act on.
 */
export async function assertSchemaIsKnown(sql: Queryable): Promise<void> {
  await assertDatabaseFits(sql);
  const [found] = await sql`select to_regclass('public.schema_migrations') is not null as here`;
  if (!found?.['here']) {
    throw new SchemaFault('The database has no schema of this product yet. Run: gatewayctl migrate');
  }
  const [last] = await sql<{ number: number }[]>`select coalesce(max(number), 0) as number from schema_migrations`;
  const number = last?.number ?? 0;
  if (number > SCHEMA_VERSION) {
    throw new SchemaFault(
      `The database is at migration ${number}, newer than this program (${SCHEMA_VERSION}). Start the version that fits it.`,
    );
  }
  if (number < SCHEMA_VERSION) {
    throw new SchemaFault(`The database is at migration ${number} of ${SCHEMA_VERSION}. Run: gatewayctl migrate`);
  }
}

/** The oldest version of PostgreSQL that the services are tested with. */
const LEAST_VERSION = 15;

/**
 * Checks that the database can store this product's data, and that its settings apply.
 * @throws SchemaFault with a sentence a person can act on.
 */
export async function assertDatabaseFits(sql: Queryable): Promise<void> {
  const [found] = await sql<
    {
      encoding: string;
      path: string;
      triggers: string;
      role: string;
      database: string;
      server: string;
      version: number;
    }[]
  >`
    select getdatabaseencoding() as encoding, current_setting('search_path') as path,
      current_setting('session_replication_role') as triggers,
      quote_ident(session_user) as role, quote_ident(current_database()) as database, current_setting('server_version') as server,
      current_setting('server_version_num')::integer / 10000 as version`;
  if (found?.path !== OWN_SEARCH_PATH) {
    throw new SchemaFault(
      'The settings of this connection did not reach PostgreSQL, because a pooler ignores them. ' +
        'Give the address of PostgreSQL itself.',
    );
  }
  // Not among the settings that each connection sends: only a superuser may choose it, but may choose it for any role.
  if (found.triggers === 'replica') {
    throw new SchemaFault(
      `No trigger runs for the database role ${found.role}, for session_replication_role is replica: usage would be missing from its ` +
        `totals. As a superuser: alter role ${found.role} in database ${found.database} set session_replication_role = origin`,
    );
  }
  if (found.version < LEAST_VERSION) {
    throw new SchemaFault(
      `PostgreSQL is version ${found.server}. Version ${LEAST_VERSION} or newer is needed: move the database to one.`,
    );
  }
  if (found.encoding !== 'UTF8') {
    throw new SchemaFault(
      `The encoding of the database is ${found.encoding}, which cannot keep every text. ` +
        "Make another one: create database NAME owner OWNER encoding 'UTF8' template template0",
    );
  }
}
