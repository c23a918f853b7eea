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
export { isReadOnlyFault } from './client/read-only-server.ts';
export { whyUnanswered } from './client/unanswered.ts';
export { DatabaseUnavailable, isDataFault } from './client/unavailable.ts';
export { checkLeastPrivilege } from './least-privilege/check.ts';
export type { Service } from './least-privilege/protected.ts';
export { readMigrations } from './migrations/files.ts';
export { assertSchemaIsKnown, SCHEMA_VERSION } from './migrations/known-schema.ts';
export { baseline, type MigrationStatus, migrate, migrationStatus } from './migrations/migrate.ts';
export { SchemaFault } from './migrations/registry.ts';
export { checkUpgrade, type UpgradeCheck } from './migrations/upgrade-check.ts';
export type { Revision } from './queries/revision.ts';
