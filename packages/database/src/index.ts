export * from './audit-log/index.ts';
export {
  type ConnectOptions,
  connect,
  type DatabaseAddress,
  DatabaseAddressFault,
  parseDatabaseAddress,
  type Queryable,
  type Sql,
  withPool,
} from './client/connect.ts';
export { isReadOnlyFault } from './client/session-settings.ts';
export { DatabaseUnavailable, isDataFault, whyUnanswered } from './client/unavailable.ts';
export { checkLeastPrivilege } from './migrations/least-privilege.ts';
export {
  assertSchemaIsKnown,
  baseline,
  type MigrationStatus,
  migrate,
  migrationStatus,
  SCHEMA_VERSION,
} from './migrations/migrate.ts';
export type { Service } from './migrations/protected.ts';
export { readMigrations, SchemaFault } from './migrations/registry.ts';
export { checkUpgrade, type UpgradeCheck } from './migrations/upgrade-check.ts';
