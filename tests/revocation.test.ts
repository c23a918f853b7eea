import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { developmentSigningKey } from '../packages/access/src/development-license.ts';
import { issueLicense } from '../packages/access/src/index.ts';
import { createTestDatabase, declaring, keyOf, type TestDatabase } from '../packages/database/src/testing/index.ts';

// Revocation is effective on the very next request, on every one of three gateway processes that share a database
// (roles-15). 1,000 rounds by REVOCATION_ROUNDS=1000, fewer otherwise.
const ROUNDS = Number(process.env.REVOCATION_ROUNDS ?? 60);
const PROGRAM = fileURLToPath(new URL('../apps/gateway/src/main.ts', import.meta.url));
const SESSION = 'session-of-the-test';

let database: TestDatabase;
let directory: string;
const gateways: { readonly child: ChildProcess; readonly address: string }[] = [];
/** What reached the engine: the only witness of a call that was served. */
let reached = 0;
const engine = createServer((request, response) => {
  request.resume();
  request.once('end', () => {
    reached += 1;
    response.setHeader('content-type', 'application/json').end('{"usage":{"prompt_tokens":1,"completion_tokens":1}}');
  });
});

async function startGateway(license: string): Promise<void> {
  const child = spawn(process.execPath, [PROGRAM], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      DATABASE_URL: database.gatewayUrl,
      HOST: '127.0.0.1',
      PORT: '0',
      GATEWAY_STATE_DIR: join(directory, String(gateways.length)),
      GATEWAY_LICENSE: license,
    },
  });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  gateways.push({ child, address: String(/http:\S+/.exec(line)) });
}

beforeAll(async () => {
  database = await createTestDatabase();
  directory = mkdtempSync(join(tmpdir(), 'revocation-'));
  engine.listen(0, '127.0.0.1');
  await once(engine, 'listening');
  const declare = declaring(database.sql);
  const baseUrl = `http://127.0.0.1:${(engine.address() as AddressInfo).port}`;
  await declare.endpoint('chat', await declare.model(await declare.provider('engine', { baseUrl }), 'm'));
  await declare.account('caller');
  await declare.grant('caller', 'utilisateur-standard');
  const now = Math.floor(Date.now() / 1000);
  const license = await issueLicense(
    {
      licensee: 'Acme',
      deployment: 'test',
      seats: 1,
      capabilities: ['inference'],
      iat: now,
      exp: now + 86_400,
      graceDays: 0,
    },
    developmentSigningKey(),
  );
  await Promise.all([startGateway(license), startGateway(license), startGateway(license)]);
});
afterAll(async () => {
  await Promise.all(
    gateways.map(async ({ child }) => {
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      await gone;
    }),
  );
  engine.close();
  await database.drop();
  rmSync(directory, { recursive: true, force: true });
});

/** The status every process answers with, asked at the same moment. */
function statuses(): Promise<number[]> {
  return Promise.all(
    gateways.map(async ({ address }) => {
      const headers = { authorization: `Bearer ${keyOf('caller')}`, 'x-gateway-session': SESSION };
      const answer = await fetch(`${address}/chat/v1/x`, { method: 'POST', headers, body: '{}' });
      await answer.arrayBuffer();
      return answer.status;
    }),
  );
}

let revision = 0;
const install = (cedar: string) => {
  revision += 1;
  return database.sql`insert into authorization_policies (revision, cedar, author) values (${revision}, ${cedar}, 'test')`;
};

/** How each thing is revoked, what the next call is answered, and how it is given back. */
const REVOCATIONS: readonly (readonly [
  what: string,
  status: number,
  () => Promise<unknown>,
  () => Promise<unknown>,
])[] = [
  [
    'role',
    403,
    async () => database.sql`delete from role_assignments where subject = 'caller'`,
    () => declaring(database.sql).grant('caller', 'utilisateur-standard'),
  ],
  [
    'key',
    401,
    async () => database.sql`update account_keys set revoked_at = now()`,
    async () => database.sql`update account_keys set revoked_at = null`,
  ],
  [
    'account',
    401,
    async () => database.sql`update accounts set enabled = false`,
    async () => database.sql`update accounts set enabled = true`,
  ],
  [
    'subject',
    403,
    async () =>
      database.sql`insert into subject_revocations (id, subject, reason, author) values (gen_random_uuid(), 'caller', 'r', 'a')`,
    async () => database.sql`update subject_revocations set lifted_at = now(), lifted_by = 'a' where lifted_at is null`,
  ],
  [
    'session',
    403,
    async () =>
      database.sql`insert into agent_session_revocations (session, reason, author) values (${SESSION}, 'r', 'a')`,
    async () => database.sql`delete from agent_session_revocations`,
  ],
  [
    'policy',
    403,
    () => install('forbid(principal == Subject::"caller", action, resource);'),
    () => install(revision % 3 === 0 ? '' : 'forbid(principal == Subject::"somebody", action, resource);'),
  ],
];

// roles-15
it(`${ROUNDS} rounds of revoke-then-call on three processes: none is served`, async () => {
  const served = new Map<string, number>();
  for (let round = 0; round < ROUNDS; round += 1) {
    const [what, refused, revoke, restore] = REVOCATIONS[round % REVOCATIONS.length] as (typeof REVOCATIONS)[number];
    expect([round, what, ...(await statuses())]).toEqual([round, what, 200, 200, 200]);
    const before = reached;
    await revoke();
    expect([round, what, ...(await statuses())]).toEqual([round, what, refused, refused, refused]);
    served.set(what, (served.get(what) ?? 0) + reached - before);
    await restore();
  }
  expect(Object.fromEntries(served)).toEqual({ role: 0, key: 0, account: 0, subject: 0, session: 0, policy: 0 });
  expect(reached).toBe(ROUNDS * gateways.length);
});
