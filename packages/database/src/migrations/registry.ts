import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { Queryable } from '../client/connect.ts';

/** The registry's entry of one migration. */
export interface AppliedMigration {
  readonly number: number;
  readonly name: string;
  readonly digest: string;
  readonly appliedAt: Date;
  /** Recorded without being run (`gatewayctl migrate --baseline`). */
  readonly baseline: boolean;
}

/** The database, or its schema, and this program do not match. The message contains the fix. */
export class SchemaFault extends Error {
  override readonly name = 'SchemaFault';
}

/** One lock for all migrating programs, so that they take turns (any constant does). */
const TURN = 727_001;

/** Takes the turn until the transaction ends, and makes the registry where it is absent. */
export async function openRegistry(transaction: Queryable): Promise<void> {
  await transaction`select pg_advisory_xact_lock(${TURN})`;
  await transaction`
    create table if not exists schema_migrations (
      number integer primary key,
      name text not null,
      digest text not null, -- SHA-256 of the migration's text
      applied_at timestamptz not null default now(),
      baseline boolean not null default false
    )`;
}

/** The service roles read the registry, so that an old program refuses a newer schema. */
export async function showRegistryToServices(transaction: Queryable): Promise<void> {
  await transaction`grant select on schema_migrations to gateway_service, console_service`;
}

export async function readRegistry(sql: Queryable): Promise<readonly AppliedMigration[]> {
  const [found] = await sql`select to_regclass('schema_migrations') is not null as here`;
  if (!found?.['here']) return [];
  return sql<AppliedMigration[]>`
    select number, name, digest, applied_at as "appliedAt", baseline from schema_migrations order by number`;
}

export async function register(transaction: Queryable, migration: Migration, baseline: boolean): Promise<void> {
  const { number, name, digest } = migration;
  await transaction`
    insert into schema_migrations (number, name, digest, baseline) values (${number}, ${name}, ${digest}, ${baseline})`;
}

/**
 * Refuses three databases: one that a newer program migrated, one whose applied migrations differ from this program's (a
 * migration was edited after it was applied), and one whose registry lost an entry, because the pending ones are counted from it.
 */
export function assertRegistryIsKnown(applied: readonly AppliedMigration[], known: readonly Migration[]): void {
  for (const [index, entry] of applied.entries()) {
    if (entry.number !== index + 1) {
      throw new SchemaFault(
        `The registry of migrations (schema_migrations) holds migration ${entry.number} and not migration ${index + 1}. ` +
          'Restore what was taken from it.',
      );
    }
    const migration = known[entry.number - 1];
    if (!migration) {
      throw new SchemaFault(
        `The database is at migration ${entry.number} (${entry.name}), newer than the last one this program knows ` +
          `(${known.length}). Use the version of this product that migrated it, or a later one.`,
      );
    }
    if (migration.digest !== entry.digest) {
      throw new SchemaFault(
        `Migration ${entry.name} was applied with another text than the one this program holds. ` +
          'An applied migration is never edited: restore its file, and put the change into a new migration.',
      );
    }
  }
}

/** In the package the files are two folders up; a built program has them beside itself. */
const FOLDER =
  ['./migrations/', '../../migrations/'].map((path) => new URL(path, import.meta.url)).find((url) => existsSync(url)) ??
  new URL('./migrations/', import.meta.url);

/** One numbered migration. Once released its text never changes; the registry keeps its digest. */
export interface Migration {
  readonly number: number;
  readonly name: string;
  readonly text: string;
  /** SHA-256 of the text, hexadecimal. */
  readonly digest: string;
}

/** Every migration of this version in order. Their numbers run from 1 without a gap (limits-14). */
export function readMigrations(folder: URL = FOLDER): readonly Migration[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.sql'));
  return names.sort().map((name, index) => {
    const number = Number(/^(\d{4})_[a-z0-9_]+\.sql$/.exec(name)?.[1]);
    if (number !== index + 1) throw new Error(`migration ${name} is not number ${index + 1}`);
    const text = readFileSync(new URL(name, folder), 'utf8');
    return {
      number,
      name: name.slice(0, -'.sql'.length),
      text,
      digest: createHash('sha256').update(text).digest('hex'),
    };
  });
}
