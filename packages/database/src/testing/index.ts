export { anAct } from './act.ts';
export { type Administering, administering, allAtOnce, type RecordedAct, untilWaiting } from './administering.ts';
export { allRowsOf } from './all-rows.ts';
export { verdictOn } from './chain.ts';
export { aDecision } from './decision.ts';
export { type Declare, declaring, digestOfKey, keyOf } from './declare.ts';
export { aDetection } from './detection.ts';
export { type FaultProxy, startFaultProxy } from './fault-proxy.ts';
export { startTestServer, type TestServer } from './server.ts';
export { type Standby, startStandby } from './standby.ts';

import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';
import { connect, parseDatabaseAddress, type Sql, withPool } from '../client/connect.ts';
import { TEMPLATE, withDatabase, withRole } from './names.ts';

export interface TestDatabase {
  readonly ownerUrl: string;
  readonly gatewayUrl: string;
  readonly consoleUrl: string;
  /** As the owner. */
  readonly sql: Sql;
  /** Closes `sql` and removes the database, also while others are connected. */
  drop(): Promise<void>;
}

async function asServerOwner(work: (sql: Sql) => Promise<unknown>): Promise<void> {
  await withPool(parseDatabaseAddress(withDatabase(inject('postgresOwnerUrl'), 'postgres')), { max: 1 }, work);
}

/** A fresh, migrated database with nothing in it. */
export async function createTestDatabase(): Promise<TestDatabase> {
  return copyOf(TEMPLATE);
}

/** A database without any table, for what migrates by itself. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  return copyOf('template0');
}

async function copyOf(template: string): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  // The files are copied: a copy through the write-ahead log takes three times the work.
  await asServerOwner((sql) => sql`create database ${sql(name)} template ${sql(template)} strategy file_copy`);
  const ownerUrl = withDatabase(inject('postgresOwnerUrl'), name);
  const sql = connect(parseDatabaseAddress(ownerUrl), { max: 4, applicationName: 'test' });
  return {
    ownerUrl,
    gatewayUrl: withRole(ownerUrl, 'gateway_service'),
    consoleUrl: withRole(ownerUrl, 'console_service'),
    sql,
    async drop() {
      await sql.end({ timeout: 5 });
      await asServerOwner((server) => server`drop database ${server(name)} with (force)`);
    },
  };
}
