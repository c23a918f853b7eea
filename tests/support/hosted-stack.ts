import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { openSigningKey } from '@gateway/configuration';
import { registerSigningKey } from '@gateway/database';
import { createTestDatabase, type TestDatabase } from '@gateway/database/testing';
import { createEngine } from '../../apps/quickstart/src/engine/server.ts';
import type { Ready } from './stack.ts';

const ARTIFACT = fileURLToPath(new URL('../../dist/serverless', import.meta.url));
const SIGN_IN = { user: 'admin', password: 'password-of-the-tests' };

/** What tests use of a running product, however it was started. */
export type Stack = Pick<Ready, 'console' | 'consoleSignIn' | 'database' | 'engine' | 'gateway'>;
export type HostedStack = Stack & { stop(): Promise<void> };

interface Program {
  readonly address: string;
  stop(): Promise<void>;
}

/** Starts a built program, and waits until it listens. */
async function startProgram(name: string, environment: Readonly<Record<string, string>>): Promise<Program> {
  const child = spawn(process.execPath, [join(ARTIFACT, `${name}.js`)], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, HOST: '127.0.0.1', PORT: '0', ...environment },
  });
  const said = text(child.stderr);
  const ended = once(child, 'close');
  const address = new Promise<string>((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const [, found] = / listens on (https?:\/\/\S+)/.exec(line) ?? [];
      if (found !== undefined) resolve(found);
    });
  });
  const found = await Promise.race([address, ended.then(() => null)]);
  if (found === null) throw new Error(`The ${name} did not start: ${await said}`);
  return {
    address: found,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** Registers the keys of both services as the owner does, so that verification trusts their seals. */
async function registerKeys({ sql }: TestDatabase, folder: string): Promise<void> {
  const files = { gateway: 'gateway/signing-key.pem', console: 'console/console-signing-key.pem' };
  for (const [component, file] of Object.entries(files)) {
    mkdirSync(join(folder, component));
    const key = openSigningKey(join(folder, file));
    if ('fault' in key) throw new Error(key.fault);
    await registerSigningKey(sql, key.signer, component);
  }
}

/**
 * The built gateway and console of the hosted profile, with the demo engine, on a database of their own: what
 * `npm start -- --bare` runs. The run's PostgreSQL copies a migrated database, so nothing is initialized or migrated.
 */
export async function startHostedStack(): Promise<HostedStack> {
  const stopping = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), 'hosted-stack-'));
  stopping.defer(() => rmSync(folder, { recursive: true, force: true }));
  try {
    const database = await createTestDatabase();
    stopping.defer(() => database.drop());
    await registerKeys(database, folder);
    const engine = createEngine().listen(0, '127.0.0.1');
    stopping.defer(() => {
      engine.close();
      engine.closeAllConnections();
    });
    await once(engine, 'listening');
    const gateway = await startProgram('gateway', {
      DATABASE_URL: database.gatewayUrl,
      GATEWAY_STATE_DIR: join(folder, 'gateway'),
      GATEWAY_DRAIN_SECONDS: '1',
      ADMIN_API_KEY: `gwk_${'0123456789ab'.repeat(4)}`,
    });
    stopping.defer(() => gateway.stop());
    const console = await startProgram('console', {
      DATABASE_URL: database.consoleUrl,
      GATEWAY_STATE_DIR: join(folder, 'console'),
      GATEWAY_PUBLIC_URL: gateway.address,
      ADMIN_USER: SIGN_IN.user,
      ADMIN_PASS: SIGN_IN.password,
    });
    stopping.defer(() => console.stop());
    return {
      gateway: gateway.address,
      console: console.address,
      engine: `http://127.0.0.1:${(engine.address() as AddressInfo).port}`,
      database: { owner: database.ownerUrl, gateway: database.gatewayUrl, console: database.consoleUrl },
      consoleSignIn: SIGN_IN,
      stop: () => stopping.disposeAsync(),
    };
  } catch (error) {
    await stopping.disposeAsync();
    throw error;
  }
}
