import { rmSync } from 'node:fs';
import { type Sql } from '@gateway/database';
import { declaring, keyOf } from '../../packages/database/src/testing/declare.ts';
import { startTestServer, type TestServer } from '../../packages/database/src/testing/server.ts';
import { releasePrimary, startStandby } from '../../packages/database/src/testing/standby.ts';

export { keyOf };

/** The PostgreSQL server of the suite, with a disk that can be filled. */
export interface Database {
  /** Address of the gateway's role at the first server. */
  readonly gatewayUrl: string;
  /** The primary of now. */
  readonly server: TestServer;
  asOwner<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result>;
  /** Restarts the server where it does not answer any more. */
  ensureRunning(): Promise<void>;
  /** Kills the primary, which loses its data. Its standby is read-only for a while, and then the primary. */
  failOver(whileReadOnly: () => Promise<void>, redirect: (url: string) => void): Promise<void>;
  /** Leads the address to a standby for a while, and back to the primary, which runs on. */
  visitStandby(meanwhile: () => Promise<void>, redirect: (url: string) => void): Promise<void>;
  readonly counts: { kills: number; restarts: number };
  close(): Promise<void>;
}

export async function startDatabase(): Promise<Database> {
  let server = await startTestServer();
  const { gatewayUrl } = server;
  const counts = { kills: 0, restarts: 0 };
  return {
    get server() {
      return server;
    },
    counts,
    gatewayUrl,
    asOwner: (work) => server.asOwner(work),
    async ensureRunning() {
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
      const { directory } = server;
      server = await next.promote();
      rmSync(directory, { recursive: true, force: true });
    },
    async visitStandby(meanwhile, redirect) {
      const standby = await startStandby(server);
      redirect(standby.gatewayUrl);
      await meanwhile();
      redirect(server.gatewayUrl);
      await releasePrimary(server);
      await standby.close();
    },
    close: () => server.close(),
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
