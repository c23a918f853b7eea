import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Role } from '@gateway/contract';
import { createTestDatabase, type TestDatabase } from '@gateway/database/testing';
import { v7 as uuid } from 'uuid';
import type { Profile } from '../profile/profile.ts';
import { profile as serverless } from '../profile/serverless.ts';
import { startConsole } from '../start.ts';
import { type Client, createClient } from './client.ts';

const PAIR = { ADMIN_USER: 'operator', ADMIN_PASS: 'a pass:word' };

export interface TestConsole {
  readonly base: string;
  readonly database: TestDatabase;
  /** Everything it said and complained about. */
  readonly said: string[];
  readonly faults: string[];
  /** With the shared pair. */
  readonly pair: Client;
  readonly nobody: Client;
  withHeaders(headers: Record<string, string>): Client;
  /** A new account with these roles, and a client with its key. Hosted profile only. */
  holder(
    ...roles: (Role | { role: Role; project: string })[]
  ): Promise<Client & { username: string; id: string; key: string }>;
  stop(): Promise<void>;
}

let numbers = 0;
/** A name nothing else in the test run has. */
export function unique(prefix: string): string {
  numbers += 1;
  return `${prefix}-${process.pid}-${numbers}`;
}

/** Gives a subject a role, as the operator command does. */
export async function grant(database: TestDatabase, subject: string, role: Role, project: string | null = null) {
  await database.sql`
    insert into role_assignments (id, subject, role, project, author) values (${uuid()}, ${subject}, ${role}, ${project}, 'test')`;
}

/** A real console on a free port with a database of its own; hosted by default. */
export async function startTestConsole(
  options: { profile?: Profile; environment?: Record<string, string>; assetsFolder?: string } = {},
): Promise<TestConsole> {
  const folder = mkdtempSync(join(tmpdir(), 'console-'));
  const database = await createTestDatabase();
  const said: string[] = [];
  const faults: string[] = [];
  const running = await startConsole(
    options.profile ?? serverless,
    {
      PORT: '0',
      GATEWAY_TRUSTED_PROXIES: '127.0.0.1',
      DATABASE_URL: database.consoleUrl,
      GATEWAY_SIGNING_KEY_FILE: join(folder, 'key.pem'),
      ...PAIR,
      ...options.environment,
    },
    { print: (line) => said.push(line), report: (line) => faults.push(line) },
    { assetsFolder: options.assetsFolder ?? folder },
  );
  const base = `http://127.0.0.1:${running.port}`;
  const withHeaders = (headers: Record<string, string>) => createClient(base, headers);
  const pair = withHeaders({ authorization: `Basic ${btoa(`${PAIR.ADMIN_USER}:${PAIR.ADMIN_PASS}`)}` });
  return {
    base,
    database,
    said,
    faults,
    pair,
    nobody: withHeaders({}),
    withHeaders,
    async holder(...roles) {
      const username = unique('holder');
      const { id, key } = await pair.create('/api/users', { username });
      for (const held of roles) {
        if (typeof held === 'string') await grant(database, username, held);
        else await grant(database, username, held.role, held.project);
      }
      return { ...withHeaders({ authorization: `Bearer ${key}` }), username, id, key };
    },
    async stop() {
      await running.stop(1000);
      await database.drop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
