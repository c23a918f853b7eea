import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createTestDatabase, declaring, keyOf, type TestDatabase } from '@gateway/database/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';

/**
 * An upgrade under load: the artifact, and a copy of it with two more migrations, on one database. They add what migrations
 * add: columns, a table and an index.
 */
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const EARLIER = join(ROOT, 'dist/serverless');
const CALLERS = 8;
const PLANTED = {
  planted_usage: `
alter table request_logs add column planted bigint not null default 0;`,
  planted_accounts: `
alter table accounts add column planted text;
create table planted (id uuid primary key, note text not null);
create index planted_note on planted (note);`,
};

let database: TestDatabase;
let folder: string;
let later: string;
let engine: Server;
const gateways: ChildProcess[] = [];

beforeAll(async () => {
  const env = { ...process.env, GATEWAY_DEPLOYMENT_PROFILE: 'serverless' };
  spawnSync(process.execPath, ['toolchain/build.ts', '--when-changed'], { cwd: ROOT, env });
  folder = mkdtempSync(join(tmpdir(), 'upgrade-'));
  later = join(folder, 'later');
  cpSync(EARLIER, later, { recursive: true, filter: (path) => !/\/gw(\.js)?$/.test(path) });
  const known = readdirSync(join(later, 'migrations')).length;
  for (const [index, [name, text]] of Object.entries(PLANTED).entries()) {
    const number = String(known + index + 1).padStart(4, '0');
    writeFileSync(join(later, 'migrations', `${number}_${name}.sql`), text);
  }
  for (const program of ['gateway-program.js', 'gatewayctl-program.js']) {
    const text = readFileSync(join(later, program), 'utf8');
    const written = `SCHEMA_VERSION=${known}`;
    expect(text).toContain(written);
    writeFileSync(join(later, program), text.replace(written, `SCHEMA_VERSION=${known + Object.keys(PLANTED).length}`));
  }
  engine = createServer((request, response) => {
    request.resume().once('end', () => response.end('{"usage":{"prompt_tokens":3,"completion_tokens":2}}'));
  }).listen(0, '127.0.0.1');
  await once(engine, 'listening');
  database = await createTestDatabase();
  const declare = declaring(database.sql);
  const baseUrl = `http://127.0.0.1:${(engine.address() as AddressInfo).port}`;
  await declare.endpoint('chat', await declare.model(await declare.provider('engine', { baseUrl }), 'small'));
  await declare.account('caller', { plan: await declare.plan('free', null) });
  await declare.grant('caller', 'utilisateur-standard');
});
afterAll(async () => {
  for (const gateway of gateways) gateway.kill('SIGKILL');
  engine.close();
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

async function start(artifact: string, state: string) {
  const child = spawn(process.execPath, [join(artifact, 'gateway.js')], {
    cwd: folder,
    env: {
      DATABASE_URL: database.gatewayUrl,
      ADMIN_API_KEY: `gwk_${'0123456789ab'.repeat(4)}`,
      HOST: '127.0.0.1',
      PORT: '0',
      GATEWAY_STATE_DIR: join(folder, state),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  gateways.push(child);
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const ended = once(child, 'close').then(([code]) => code as number | null);
  const first = (await Promise.race([once(child.stdout, 'data'), ended])) as unknown;
  return { address: /http:\S+/.exec(String(first))?.[0] ?? null, said: () => said, child, ended };
}

function ctl(artifact: string, ...words: readonly string[]) {
  return new Promise<{ readonly code: number | null; readonly out: string }>((resolve) => {
    const child = spawn(process.execPath, [join(artifact, 'gatewayctl.js'), ...words], {
      env: { DATABASE_URL: database.ownerUrl },
    });
    let out = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        out += text;
      });
    child.once('close', (code) => resolve({ code, out }));
  });
}

/** Callers that continue until they are stopped. */
function load(address: () => string) {
  const ending = new AbortController();
  let served = 0;
  const refused: string[] = [];
  const call = async (): Promise<void> => {
    const answer = await fetch(`${address()}/chat/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${keyOf('caller')}`, 'content-type': 'application/json' },
      body: '{"model":"any","messages":[{"role":"user","content":"Hello"}]}',
    });
    const text = await answer.text();
    if (answer.status === 200) served += 1;
    else refused.push(`${answer.status} ${text}`);
  };
  const callers = Array.from({ length: CALLERS }, async () => {
    while (!ending.signal.aborted && refused.length === 0)
      await call().catch((error: unknown) => refused.push(String(error)));
  });
  return {
    served: () => served,
    /** Waits until this many more calls were served. */
    async more(count: number): Promise<void> {
      const until = served + count;
      await expect.poll(() => refused.length > 0 || served >= until).toBe(true);
      expect(refused).toEqual([]);
    },
    async end(): Promise<readonly string[]> {
      ending.abort();
      await Promise.all(callers);
      return refused;
    },
  };
}

it('an upgrade refuses no call: the migration runs under load, and one gateway replaces the other', async () => {
  const earlier = await start(EARLIER, 'earlier');
  let address = earlier.address ?? '';
  const calls = load(() => address);
  await calls.more(200);

  const check = await ctl(later, 'migrate', '--check');
  expect(check).toMatchObject({
    code: 3,
    out: expect.stringMatching(/_planted_accounts\nServices keep running meanwhile/),
  });
  expect(await ctl(later, 'migrate')).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^Applied \d{4}_planted_usage\nApplied \d{4}_planted_accounts\n$/),
  });
  expect((await ctl(later, 'migrate', '--check')).code).toBe(0);
  await calls.more(200);

  const next = await start(later, 'later');
  address = next.address ?? '';
  await calls.more(200);
  earlier.child.kill('SIGTERM');
  expect(await earlier.ended).toBe(0);
  await calls.more(200);
  expect(await calls.end()).toEqual([]);

  // The version before would write to a schema that it does not know: it does not start again.
  const again = await start(EARLIER, 'earlier');
  expect(again.address).toBeNull();
  expect(again.said()).toMatch(/newer than this program/);

  next.child.kill('SIGTERM');
  expect(await next.ended).toBe(0);
  const [counted] = await database.sql`
    select (select count(*)::integer from authorization_decisions where outcome = 'granted') as granted,
      (select count(*)::integer from request_logs) as used`;
  expect(counted).toEqual({ granted: calls.served(), used: calls.served() });
  const { out } = await ctl(later, 'journal', 'keys', '--json');
  for (const { fingerprint } of JSON.parse(out) as { fingerprint: string }[]) {
    expect(await ctl(later, 'journal', 'keys', 'endorse', fingerprint, '--author', 'Olga')).toMatchObject({ code: 0 });
  }
  expect(await ctl(later, 'journal', 'verify')).toMatchObject({ code: 0 });
});
