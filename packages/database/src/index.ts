export * from './chain/index.ts';
export {
  type ConnectOptions,
  connect,
  type DatabaseAddress,
  DatabaseAddressFault,
  parseDatabaseAddress,
  type Queryable,
  type Sql,
  withPool,
} from './connect.ts';
export { checkLeastPrivilege } from './least-privilege/check.ts';
export type { Service } from './least-privilege/protected.ts';
export { readMigrations } from './migrations/files.ts';
export { assertSchemaIsKnown, SCHEMA_VERSION } from './migrations/known-schema.ts';
export { baseline, type MigrationStatus, migrate, migrationStatus } from './migrations/migrate.ts';
export { SchemaFault } from './migrations/registry.ts';
export { checkUpgrade, type UpgradeCheck } from './migrations/upgrade-check.ts';
export type { Revision } from './revision.ts';
export { whyUnanswered } from './unanswered.ts';
export { DatabaseUnavailable, isDataFault } from './unavailable.ts';
