import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase, type Declare, declaring, keyOf, type TestDatabase } from '@gateway/database/testing';
import { absentDocumentation, type Documentation } from '@gateway/documentation';
import { createSigner, generateSigningKey } from '@gateway/ledger';
import { readConfiguration } from '../config/configuration.ts';
import { type RunningGateway, startGateway } from '../main/gateway.ts';
import { openLauncher } from '../main/start.ts';
import { createReport } from '../process/report.ts';
import type { Profile } from '../profile/profile.ts';
import { profile as serverless } from '../profile/serverless.ts';
import { openSpools } from '../store/state-directory.ts';
import { type Engine, startEngine } from './engine.ts';
import { testLicense } from './license.ts';

/** A gateway on a real database with an engine behind it: endpoint `chat`, account `caller`, which may call. */
export interface World {
  readonly engine: Engine;
  readonly database: TestDatabase;
  readonly declare: Declare;
  readonly gateway: RunningGateway;
  readonly port: number;
  /** Holds the state directory of every gateway of this world. */
  readonly folder: string;
  /** Lines for the operator so far. */
  readonly reports: string[];
  readonly key: string;
  /** Starts one more gateway on the same database. */
  another(environment?: Record<string, string>): Promise<RunningGateway>;
  /** Rows of `request_logs` of a subject, oldest first. */
  usage(subject?: string): Promise<Record<string, unknown>[]>;
  /** Entries of `authorization_decisions` with a request id, or all. */
  entries(requestId?: string): Promise<Record<string, unknown>[]>;
  /** Declares provider, model and endpoint of one name. */
  serve(name: string, more?: { baseUrl?: string; apiKeyEnv?: string; apiKeyHeader?: string }): Promise<void>;
  /** An account that may call, on a plan without a cap. */
  account(username: string): Promise<string>;
  stop(): Promise<void>;
}

export interface WorldOptions {
  readonly profile?: Profile;
  readonly environment?: Record<string, string>;
  /** None is served without it. */
  readonly documentation?: Documentation;
}

export async function startWorld(options: WorldOptions = {}): Promise<World> {
  const profile: Profile = options.profile ?? serverless;
  const [engine, database] = await Promise.all([startEngine(), createTestDatabase()]);
  const directory = mkdtempSync(join(tmpdir(), 'gateway-world-'));
  const declare = declaring(database.sql);
  const reports: string[] = [];
  const started: RunningGateway[] = [];
  const free = await declare.plan('free', null);

  async function another(environment: Record<string, string> = {}): Promise<RunningGateway> {
    const given = {
      DATABASE_URL: database.gatewayUrl,
      ADMIN_API_KEY: `gwk_${'0123456789ab'.repeat(4)}`,
      HOST: '127.0.0.1',
      PORT: '0',
      GATEWAY_STATE_DIR: directory,
      GATEWAY_DRAIN_SECONDS: '1',
      ENGINE_KEY: 'the-engine-key',
      ...(profile.name === 'on-premise' ? { GATEWAY_LICENSE: await testLicense() } : {}),
      ...options.environment,
      ...environment,
    };
    const { configuration, faults } = await readConfiguration(given, profile);
    if (configuration === null) throw new Error(faults.join('\n'));
    const report = createReport('plain', (line) => reports.push(line.replace('gateway: ', '')));
    const signer = createSigner(generateSigningKey());
    const launcher = await openLauncher(configuration.execution, given);
    const running = await startGateway({
      profile,
      configuration,
      environment: given,
      documentation: options.documentation ?? absentDocumentation(),
      signer,
      spools: openSpools(directory, report),
      launcher,
      report,
    });
    let stopping: Promise<void> | undefined;
    const once: RunningGateway = {
      ...running,
      stop: () => {
        stopping ??= running.stop();
        return stopping;
      },
    };
    started.push(once);
    return once;
  }

  async function serve(name: string, more: Parameters<World['serve']>[1] = {}): Promise<void> {
    const provider = await declare.provider(name, { baseUrl: `${engine.url}/base`, ...more });
    await declare.endpoint(name, await declare.model(provider, 'served-model'));
  }

  async function account(username: string): Promise<string> {
    await declare.account(username, { plan: free });
    await declare.grant(username, 'utilisateur-standard');
    return keyOf(username);
  }

  await serve('chat');
  const key = await account('caller');
  const gateway = await another();
  return {
    engine,
    database,
    declare,
    gateway,
    port: Number(new URL(gateway.address).port),
    folder: directory,
    reports,
    key,
    another,
    serve,
    account,
    usage: async (subject = 'caller') => [
      ...(await database.sql`select * from request_logs where subject = ${subject} order by timestamp`),
    ],
    entries: async (requestId) => [
      ...(requestId === undefined
        ? await database.sql`select * from authorization_decisions order by sequence`
        : await database.sql`select * from authorization_decisions where request_id = ${requestId} order by sequence`),
    ],
    async stop() {
      await Promise.all(started.map((one) => one.stop()));
      await engine.stop();
      await database.drop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Installs a revision of the policy of `acme`, the organization that a world may serve: its rules for secrets. */
export async function withSecretsPolicy({ database: { sql } }: World, secrets: object): Promise<void> {
  const [organization] = await sql<{ id: string }[]>`
    insert into organizations (id, slug, name) values (gen_random_uuid(), 'acme', 'Acme')
    on conflict (slug) do update set name = excluded.name returning id`;
  await sql`
    insert into organization_policies (organization_id, revision, document, author)
    select ${organization?.id ?? ''}, coalesce(max(revision), 0) + 1, ${sql.json({ secrets } as never)}, 'test'
    from organization_policies where organization_id = ${organization?.id ?? ''}`;
}
