import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Fault, pause } from './fault.ts';

/** Faults of the database server itself. */
export const POSTGRES_FAULTS: readonly Fault[] = [
  {
    name: 'PostgreSQL killed and restarted',
    async run({ database, moreCalls, random }) {
      await database.server.kill();
      database.counts.kills += 1;
      await moreCalls(random.below(30));
      await database.server.restart();
      database.counts.restarts += 1;
    },
  },
  {
    name: 'PostgreSQL frozen',
    async run({ database, random }) {
      database.server.freeze();
      await pause(500 + random.below(6000));
      database.server.thaw();
    },
  },
  {
    name: 'table locked',
    run: ({ database, random }) =>
      database.asOwner(async (sql) => {
        const table = random.pick(['authorization_decisions', 'request_logs', 'account_keys']);
        await sql.begin(async (transaction) => {
          await transaction.unsafe(`lock table ${table} in access exclusive mode`);
          await pause(500 + random.below(4000));
        });
      }),
  },
  {
    name: 'connections ended by the server',
    run: ({ database }) =>
      database.asOwner(async (sql) => {
        await sql`select pg_terminate_backend(pid) from pg_stat_activity where usename = 'gateway_service'`;
      }),
  },
  {
    name: 'database read-only',
    run: ({ database, moreCalls }) =>
      database.asOwner(async (sql) => {
        await sql`alter role gateway_service set default_transaction_read_only = on`;
        await sql`select pg_terminate_backend(pid) from pg_stat_activity where usename = 'gateway_service'`;
        await moreCalls(20);
        await sql`alter role gateway_service reset default_transaction_read_only`;
        await sql`select pg_terminate_backend(pid) from pg_stat_activity where usename = 'gateway_service'`;
      }),
  },
  {
    name: 'statements time out',
    run: ({ database, moreCalls }) =>
      database.asOwner(async (sql) => {
        await sql`alter role gateway_service set statement_timeout = '1ms'`;
        await sql`select pg_terminate_backend(pid) from pg_stat_activity where usename = 'gateway_service'`;
        await moreCalls(20);
        await sql`alter role gateway_service reset statement_timeout`;
        await sql`select pg_terminate_backend(pid) from pg_stat_activity where usename = 'gateway_service'`;
      }),
  },
  {
    name: 'disk full',
    missing: ({ disk }) => (disk === null ? 'a small file system can be mounted by root alone' : null),
    async run({ database, disk, moreCalls }) {
      const filler = join(disk?.directory ?? '', 'filler');
      const block = Buffer.alloc(16 * 1024 * 1024);
      try {
        for (;;) writeFileSync(filler, block, { flag: 'a' });
      } catch {
        // full
      }
      await moreCalls(40);
      rmSync(filler);
      await database.ensureRunning();
    },
  },
  {
    name: 'address leads to a standby, and back',
    run: ({ database, toDatabase, random }) =>
      database.visitStandby(
        () => pause(1000 + random.below(4000)),
        (url) => toDatabase.redirect(url),
      ),
  },
  {
    // In each round, so that it happens every few minutes.
    name: 'PostgreSQL fails over to a standby, and back',
    async run({ database, toDatabase, recovered }) {
      for (let turn = 0; turn < 2; turn += 1) {
        await database.failOver(
          () => pause(3000),
          (url) => toDatabase.redirect(url),
        );
        await recovered();
      }
    },
  },
];
