import { type Sql } from '@gateway/database';
import { declaring, keyOf } from '../../packages/database/src/testing/declare.ts';
import { startTestServer, type TestServer } from '../../packages/database/src/testing/server.ts';
import { type Standby, startStandby } from '../../packages/database/src/testing/standby.ts';

export { keyOf };

/** The PostgreSQL server of the suite, with a disk that can be filled, and at the end its standby. */
export interface Database {
  /** Address of the gateway's role. */
  readonly gatewayUrl: string;
  readonly server: TestServer;
  asOwner<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result>;
  /** Restarts the server where it does not answer any more. */
  ensureRunning(): Promise<void>;
  /** Kills the primary. Resolves with the address of its promoted standby, which `asOwner` asks from then on. */
  failOver(whileReadOnly: () => Promise<void>, redirect: (url: string) => void): Promise<void>;
  readonly counts: { kills: number; restarts: number };
  close(): Promise<void>;
}

export async function startDatabase(): Promise<Database> {
  const server = await startTestServer();
  const counts = { kills: 0, restarts: 0 };
  let standby: Standby | null = null;
  return {
    server,
    counts,
    gatewayUrl: server.gatewayUrl,
    asOwner: (work) => (standby ?? server).asOwner(work),
    async ensureRunning() {
      if (standby !== null) return;
      const answers = await server
        .asOwner((sql) => sql`select 1`)
        .then(
          () => true,
          () => false,
        );
      if (answers) return;
      await server.kill().catch(() => {});
      await server.restart();
      counts.restarts += 1;
    },
    async failOver(whileReadOnly, redirect) {
      const next = await startStandby(server);
      await server.kill();
      counts.kills += 1;
      redirect(next.gatewayUrl);
      await whileReadOnly();
      await next.promote();
      standby = next;
    },
    async close() {
      await standby?.close();
      if (standby !== null) await server.restart(); // so that it can be stopped as always
      await server.close();
    },
  };
}

/** Subjects that call with a token of the identity provider. */
export const SIGNED_IN = 'signed-in';

/** The endpoint `chat`, and the accounts `caller` and `signed-in` that may call it. */
export async function declareChat(sql: Sql, engineUrl: string): Promise<void> {
  const declare = declaring(sql);
  const provider = await declare.provider('engine', { baseUrl: engineUrl });
  await declare.endpoint('chat', await declare.model(provider, 'served'));
  const plan = await declare.plan('free', null);
  await declare.account('caller', { plan });
  await declare.account(SIGNED_IN, { plan, origin: 'directory' });
  for (const subject of ['caller', SIGNED_IN]) await declare.grant(subject, 'utilisateur-standard');
}
