import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { connect, parseDatabaseAddress } from '../client/connect.ts';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../testing/index.ts';
import { checkLeastPrivilege } from './least-privilege.ts';
import type { Service } from './protected.ts';

let database: TestDatabase;
const made: string[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
});
afterEach(async () => {
  for (const role of made.splice(0).reverse()) {
    await database.sql.unsafe(`reassign owned by ${role} to current_user; drop owned by ${role}; drop role ${role}`);
  }
});
afterAll(() => database.drop());

async function faultsAt(url: string, service: Service): Promise<readonly string[]> {
  const sql = connect(parseDatabaseAddress(url), { max: 1 });
  try {
    return await checkLeastPrivilege(sql, service);
  } finally {
    await sql.end();
  }
}

/** A login role with the gateway's rights, and those that `statements` add, where `role` is its name. */
async function roleWith(options: string, ...statements: string[]): Promise<string> {
  const name = `role_${randomUUID().slice(0, 8)}`;
  await database.sql.unsafe(`create role ${name} login password 'x' ${options}`);
  made.push(name);
  await database.sql.unsafe(`grant gateway_service to ${name}`);
  for (const statement of statements) await database.sql.unsafe(statement.replaceAll('ROLE', name));
  return Object.assign(new URL(database.ownerUrl), { username: name, password: 'x' }).href;
}

describe('the roles of the migrations', () => {
  it.each(['gateway', 'console'] as const)('are weak and strong enough for the %s', async (service) => {
    expect(await faultsAt(service === 'gateway' ? database.gatewayUrl : database.consoleUrl, service)).toEqual([]);
  });

  it('are sufficient for any role: another one with the same rights works, too', async () => {
    expect(await faultsAt(await roleWith(''), 'gateway')).toEqual([]);
  });
});

describe('a role too strong (refusals-24)', () => {
  it.each<[string, RegExp, string, string[]]>([
    ['superuser', /is a superuser/, 'superuser', []],
    ['owner of the database', /owns the database/, '', ['alter database DATABASE owner to ROLE']],
    ['owner of the schema', /owns the schema public/, '', ['alter schema public owner to ROLE']],
    ['owner of one table', /owns the table request_logs/, '', ['alter table request_logs owner to ROLE']],
    ['member of the owner', /through the role gateway_owner/, '', ['grant gateway_owner to ROLE']],
    [
      'member of the owner without inheriting',
      /gateway_owner/,
      'noinherit',
      ['grant gateway_owner to ROLE with inherit false'],
    ],
    ['UPDATE', /UPDATE on request_logs/, '', ['grant update on request_logs to ROLE']],
    ['UPDATE on one column', /UPDATE on request_logs/, '', ['grant update (latency_ms) on request_logs to ROLE']],
    [
      'UPDATE on a log',
      /UPDATE on authorization_decisions/,
      '',
      ['grant update (reason) on authorization_decisions to ROLE'],
    ],
    ['UPDATE on the totals', /UPDATE on usage_totals/, '', ['grant update on usage_totals to ROLE']],
    ['DELETE', /DELETE on authorization_decisions/, '', ['grant delete on authorization_decisions to ROLE']],
    ['TRUNCATE', /TRUNCATE on administration_actions/, '', ['grant truncate on administration_actions to ROLE']],
    ['TRIGGER', /TRIGGER on request_logs/, '', ['grant trigger on request_logs to ROLE']],
    ['pg_write_all_data', /pg_write_all_data/, '', ['grant pg_write_all_data to ROLE']],
    ['a program of the server', /pg_execute_server_program/, '', ['grant pg_execute_server_program to ROLE']],
    ['files of the server', /pg_write_server_files/, '', ['grant pg_write_server_files to ROLE']],
    ['upkeep of every table', /pg_maintain/, '', ['grant pg_maintain to ROLE']],
    ['checkpoints of the server', /pg_checkpoint/, '', ['grant pg_checkpoint to ROLE']],
    ['rows from another server', /pg_create_subscription/, '', ['grant pg_create_subscription to ROLE']],
    ['BYPASSRLS', /BYPASSRLS/, 'bypassrls', []],
    ['CREATEROLE', /CREATEROLE/, 'createrole', []],
    ['CREATEDB', /CREATEDB/, 'createdb', []],
    ['REPLICATION', /REPLICATION/, 'replication', []],
    [
      'triggers switched off',
      /session_replication_role/,
      '',
      ['grant set on parameter session_replication_role to ROLE'],
    ],
    [
      'another role by its settings',
      /role_\w+ is a superuser/,
      'superuser',
      ['alter role ROLE set role = gateway_service'],
    ],
    ['CREATE in the schema', /create objects/, '', ['grant create on schema public to ROLE']],
  ])('%s', async (_, expected, options, statements) => {
    const name = new URL(database.ownerUrl).pathname.slice(1);
    const url = await roleWith(options, ...statements.map((text) => text.replace('DATABASE', name)));
    const faults = await faultsAt(url, 'gateway');
    expect(faults).toHaveLength(1); // one cause, one line
    expect(faults.join('\n')).toMatch(expected);
    for (const fault of faults) {
      expect(fault).toMatch(/rewrite or erase billed consumption or audit logs.*gateway_service/);
      expect(fault).not.toContain('\n');
    }
  });

  it('counts on each table of billed consumption and audit logs', async () => {
    const url = await roleWith('', 'grant update on all tables in schema public to ROLE');
    const [fault = ''] = await faultsAt(url, 'gateway');
    expect([...fault.matchAll(/UPDATE on (\w+)/g)].map(([, table]) => table)).toEqual([
      'administration_action_seals',
      'administration_actions',
      'agent_acts',
      'agent_command_ends',
      'agent_commands',
      'authorization_decision_seals',
      'authorization_decisions',
      'background_work',
      'log_archives',
      'log_instance',
      'log_retention',
      'log_tiles',
      'policy_attempts',
      'request_logs',
      'schema_migrations',
      'secret_detections',
      'signing_keys',
      'usage_sums',
      'usage_totals',
      'usage_unsummed',
    ]);
  });

  it('a privilege of a role it may become, without inheriting, counts', async () => {
    const strong = `strong_${randomUUID().slice(0, 8)}`;
    await database.sql.unsafe(`create role ${strong}; grant delete on request_logs to ${strong}`);
    made.push(strong);
    const url = await roleWith('noinherit', `grant ${strong} to ROLE with inherit false`);
    expect((await faultsAt(url, 'gateway')).join()).toMatch(/DELETE on request_logs/);
  });

  it('the owner is refused by both services', async () => {
    for (const service of ['gateway', 'console'] as const) {
      expect((await faultsAt(database.ownerUrl, service)).join()).toMatch(/gateway_owner .*superuser/);
    }
  });

  it('a privilege of PUBLIC counts', async () => {
    await database.sql`grant delete on request_logs to public`;
    expect((await faultsAt(database.gatewayUrl, 'gateway')).join()).toMatch(/DELETE on request_logs/);
    await database.sql`revoke delete on request_logs from public`;
  });
});

describe('a database that is not ready', () => {
  it('reports that the service-role migration was not applied', async () => {
    const empty = await createEmptyDatabase();
    try {
      expect((await faultsAt(empty.gatewayUrl, 'gateway')).join()).toMatch(
        /migration was not applied.*gatewayctl migrate/,
      );
    } finally {
      await empty.drop();
    }
  });

  it('reports what a role lacks', async () => {
    const name = `weak_${randomUUID().slice(0, 8)}`;
    await database.sql.unsafe(`create role ${name} login password 'x'`);
    made.push(name);
    const url = Object.assign(new URL(database.ownerUrl), { username: name, password: 'x' }).href;
    expect((await faultsAt(url, 'gateway')).join()).toMatch(/lacks USAGE on the schema public/);
    await database.sql.unsafe(`grant usage on schema public to ${name}`);
    expect((await faultsAt(url, 'gateway')).join()).toMatch(
      /lacks .*INSERT on authorization_decisions.*gateway_service.* restore the backup again/,
    );
    expect((await faultsAt(database.consoleUrl, 'gateway')).join()).toMatch(/lacks INSERT on request_logs/);
  });
});
