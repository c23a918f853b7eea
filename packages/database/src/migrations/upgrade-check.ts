import { assertServiceRoles, type Owner, withOwner } from './migrate.ts';
import { SERVICE_ROLES } from './protected.ts';
import { assertRegistryIsKnown, readMigrations, readRegistry } from './registry.ts';

/** Comments and quoted texts: nothing in them is a statement. A body of a function or block leaves its quotes, and is judged by no one. */
const QUIET = /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|\$(\w*)\$[\s\S]*?\$\1\$/g;

const NEW_TABLE = /^create\s+table\s+(?:if\s+not\s+exists\s+)?(\w+)/i;
const CHANGED_TABLE = /^alter\s+table\s+(?:only\s+)?(\w+)\s+([\s\S]*)$/i;
const NEW_FUNCTION = /^create\s+function\s+(\w+)/i;
const CLOSED_FUNCTION = /^revoke\s+all\s+on\s+function\s+(\w+)\s*\([^)]*\)\s+from\s+public$/i;
const INDEXED_TABLE = /^create\s+(?:unique\s+)?index\b[\s\S]*?\bon\s+(?:only\s+)?(\w+)/i;

const LOCKED_TABLE = /^lock\s+table\s+(\w+)\s+in\s+share\s+row\s+exclusive\s+mode$/i;
/** Its table is not named, so that each dropped index counts as a table of its own. */
const DROPPED_INDEX = /^drop\s+index\s+(?:if\s+exists\s+)?(\w+)$/i;
const FILLED_TABLE = /^insert\s+into\s+(\w+)/i;
/** Starts of statements that were judged: earlier programs continue, with the same results. */
const JUDGED: readonly string[] = [
  'create or replace function refuse_administration_with_audit(',
  'create or replace function add_usage_to_totals(',
  // Both concern only columns that the same migration adds, in a table of a few rows.
  'create trigger decide_endorsement before insert on signing_keys ',
  'update signing_keys set empty_logs = ',
  // The same, in tables of a few hundred rows.
  'alter table endpoints add column standby_model_id ',
  'create index endpoints_standby_model_id ',
  'create trigger check_standby_provider ',
  'create trigger check_moved_model ',
  // Earlier programs insert rows without the columns that are added. A table of keys is indexed within a second.
  'alter table provider_tests alter column provider_id drop not null, ',
  'alter table account_keys add column import_id ',
  'create index account_keys_import_id ',
];

/** Additions that no earlier program uses, and wider grants. */
const HARMLESS = /^(?:create\s+(?:table|sequence|type|function)|comment\s+on|grant)\b/i;
/** Actions on a table that earlier programs use. */
const HARMLESS_ACTION = [
  /^alter\s+(?:column\s+)?\w+\s+drop\s+not\s+null$/i,
  /^alter\s+(?:column\s+)?\w+\s+set\s+default\b/i,
  /^drop\s+constraint\b/i,
];
const ADDED = /^add\s+(?:column\s+)?(?!constraint\b|check\b|unique\b|primary\b|foreign\b|exclude\b)/i;
const RESTRICTED = /\b(?:primary\s+key|unique|references|check)\b/i;
const GIVEN = /\b(?:default|generated|serial|bigserial|smallserial)\b/i;

/**
 * Statements of a migration that may affect programs of the previous version; empty where none does. Any statement outside the
 * list of harmless ones counts: it may drop, rename, restrict or lock something that those programs use.
 */
export function breaksEarlier(text: string): readonly string[] {
  const statements = statementsOf(text);
  const made = findCreated(statements);
  return statements.filter((statement) => !isHarmless(statement, made)).map(shorten);
}

/** Existing tables that are changed: a migration has all their locks until it ends. */
export function findChangedTables(text: string): readonly string[] {
  const statements = statementsOf(text);
  const made = findCreated(statements);
  const patterns = [CHANGED_TABLE, INDEXED_TABLE, LOCKED_TABLE, DROPPED_INDEX];
  const changed = statements.map((one) => patterns.map((pattern) => pattern.exec(one)?.[1]).find(Boolean) ?? '');
  return [...new Set(changed)].filter((name) => name !== '' && !made.has(name));
}

function statementsOf(text: string): readonly string[] {
  const quiet = text.replaceAll(QUIET, ' ').replaceAll(/\s+/g, ' ');
  return quiet
    .split(';')
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
}

/** Tables and functions of the migration itself: no earlier program uses them. */
function findCreated(statements: readonly string[]): ReadonlySet<string> {
  return new Set(statements.map((one) => (NEW_TABLE.exec(one) ?? NEW_FUNCTION.exec(one))?.[1] ?? ''));
}

function isHarmless(statement: string, made: ReadonlySet<string>): boolean {
  if (JUDGED.some((start) => statement.startsWith(start))) return true;
  const [, table = '', actions = ''] = CHANGED_TABLE.exec(statement) ?? [];
  if (table !== '') return made.has(table) || actionsOf(actions).every(isHarmlessAction);
  const indexed = INDEXED_TABLE.exec(statement)?.[1];
  // An index on a table in use keeps its rows from being written while it is built.
  if (indexed !== undefined) return made.has(indexed);
  const closed = CLOSED_FUNCTION.exec(statement)?.[1];
  if (closed !== undefined) return made.has(closed);
  const filled = FILLED_TABLE.exec(statement)?.[1];
  if (filled !== undefined) return made.has(filled);
  // As an `alter table` does. No statement of a service names an index.
  if (LOCKED_TABLE.test(statement) || DROPPED_INDEX.test(statement)) return true;
  return HARMLESS.test(statement);
}

/** Parts between commas outside parentheses. */
function actionsOf(text: string): readonly string[] {
  const parts = [''];
  let depth = 0;
  for (const character of text) {
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    if (character === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += character;
  }
  return parts.map((part) => part.trim());
}

function isHarmlessAction(action: string): boolean {
  if (HARMLESS_ACTION.some((pattern) => pattern.test(action))) return true;
  return ADDED.test(action) && !RESTRICTED.test(action) && (!/\bnot\s+null\b/i.test(action) || GIVEN.test(action));
}

/** Characters of a statement that are shown. */
const SHOWN = 60;

function shorten(statement: string): string {
  return statement.length <= SHOWN ? statement : `${statement.slice(0, SHOWN)}…`;
}

export interface PendingMigration {
  readonly name: string;
  /** Statements that may break programs of the previous version; empty where they continue. */
  readonly breaks: readonly string[];
}

/** What a database needs before programs of this version can start on it. */
export interface UpgradeCheck {
  /** Version of PostgreSQL. */
  readonly server: string;
  readonly pending: readonly PendingMigration[];
  /** Connections of running services. */
  readonly serving: number;
  /** What prevents the migrations; a sentence each. */
  readonly faults: readonly string[];
}

/**
 * Looks at a database and changes nothing.
 * @throws SchemaFault where the database is not one of this program: newer, edited, without a registry, or unsuitable.
 */
export async function checkUpgrade(owner: Owner, known = readMigrations()): Promise<UpgradeCheck> {
  return withOwner(owner, async (sql) => {
    const registry = await readRegistry(sql);
    assertRegistryIsKnown(registry, known);
    await assertServiceRoles(sql, registry.length > 0);
    const services = Object.values(SERVICE_ROLES);
    const [found] = await sql<{ server: string; owns: boolean; owner: string; serving: number }[]>`
      select current_setting('server_version') as server, quote_ident(current_user) as owner, pg_has_role(current_user, datdba, 'usage') as owns,
        (select count(*)::integer from pg_stat_activity where datname = current_database() and usename = any (${services}::text[])) as serving
      from pg_database where datname = current_database()`;
    if (found === undefined) throw new Error('a connection has a database');
    const faults: string[] = [];
    if (!found.owns)
      faults.push(`The role ${found.owner} does not own the database. Give the address of its owner in DATABASE_URL.`);
    const pending = known.slice(registry.length).map(({ name, text }) => ({
      name,
      // Nothing runs on a database without a schema.
      breaks: registry.length === 0 ? [] : breaksEarlier(text),
    }));
    return { server: found.server, pending, serving: found.serving, faults };
  });
}
