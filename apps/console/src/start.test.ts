import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '@gateway/database/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'console-start-'));
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  await database.drop();
  rmSync(folder, { recursive: true });
});

/** The folder of the built programs. */
const DIST = new URL('../../../dist/', import.meta.url).pathname;
const PAIR = { ADMIN_USER: 'operator', ADMIN_PASS: 'hunter2' };

/** The program itself, until it logs that it listens or ends. */
async function run(environment: Record<string, string>, profile = 'serverless', words: readonly string[] = []) {
  const child = spawn(process.execPath, [join(DIST, profile, 'console.js'), ...words], {
    cwd: folder,
    env: {
      PATH: process.env['PATH'],
      PORT: '0',
      HOST: '127.0.0.1',
      GATEWAY_LOG_FORMAT: 'plain',
      DATABASE_URL: database.consoleUrl,
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [said, complained] = ['', ''];
  const ended = once(child, 'close').then(([code]) => code as number | null);
  const listening = new Promise<string>((resolve) => {
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      const address = /^console listens on (\S+)$/m.exec(said)?.[1];
      if (address !== undefined) resolve(address);
    });
  });
  child.stderr.on('data', (chunk: Buffer) => {
    complained += chunk.toString();
  });
  const first = await Promise.race([listening, ended]);
  return {
    address: typeof first === 'string' ? first : null,
    said: () => said,
    /** Without the program's name. */
    complained: () => complained.replace(/^console: /gm, ''),
    hangUp: () => child.kill('SIGHUP'),
    deafen() {
      child.stdout.destroy();
      child.stderr.destroy();
    },
    async stop() {
      child.kill('SIGTERM');
      return ended;
    },
    ended,
  };
}
/** What the program says when it refuses to start: its lines, without a stack or a secret, and exit code 1. */
async function refusal(environment: Record<string, string>, profile?: string): Promise<string[]> {
  const program = await run(environment, profile);
  expect([program.address, await program.ended]).toEqual([null, 1]);
  expect(program.complained()).not.toMatch(/^\s+at |hunter2|Error:/m);
  expect(program.said()).not.toContain('listens');
  return program.complained().trimEnd().split('\n');
}

describe('the console', () => {
  it.each([
    ['serverless', PAIR],
    ['on-premise', {}],
  ])(
    'starts in the %s build, says where it listens, and ends on SIGTERM with exit code 0',
    async (profile, environment) => {
      const program = await run(environment, profile);
      expect(program.address).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
      expect((await fetch(`${program.address}/api/providers`)).status).toBe(401);
      expect(await program.stop()).toBe(0);
      expect(program.complained()).toBe('');
    },
  );
  it('continues to serve at SIGHUP, and logs that a restart reads its settings', async () => {
    const program = await run({ ...PAIR, GATEWAY_SIGNING_KEY_FILE: join(folder, 'new.pem') });
    expect(program.said()).toMatch(/^GATEWAY_SIGNING_KEY_FILE: .*new\.pem did not exist and was created, /m);
    program.hangUp();
    await expect.poll(program.complained).toMatch(/^SIGHUP: nothing was reloaded: every setting needs a restart\.$/m);
    expect((await fetch(`${program.address}/api/providers`)).status).toBe(401);
    expect(await program.stop()).toBe(0);
  });
  it('continues to serve when its output has no reader any more', async () => {
    const program = await run(PAIR);
    program.deafen();
    for (const _ of ['once', 'again']) {
      program.hangUp(); // it has something to say
      expect((await fetch(`${program.address}/api/providers`)).status).toBe(401);
    }
    expect(await program.stop()).toBe(0);
  });
  it('makes its signing key at the first start, for nobody else to read, and keeps it', async () => {
    const file = join(folder, 'keys', 'console.pem');
    const environment = { ...PAIR, GATEWAY_SIGNING_KEY_FILE: file };
    await (await run(environment)).stop();
    const key = readFileSync(file, 'utf8');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    await (await run(environment)).stop();
    expect(readFileSync(file, 'utf8')).toBe(key);
    expect(existsSync(join(folder, '.gateway', 'console-signing-key.pem'))).toBe(true);
  });
  it('logs a decision that the database refuses to store', async () => {
    const program = await run(PAIR);
    await database.sql`alter table authorization_decisions add constraint planted check (component <> 'console') not valid`;
    const headers = { authorization: `Bearer gwk_${'0123456789ab'.repeat(4)}` };
    await fetch(`${program.address}/api/providers`, { headers });
    await expect
      .poll(program.complained)
      .toMatch(/^The database refused the decision entry [0-9a-f-]{36}: .*check constraint "planted"$/m);
    await database.sql`alter table authorization_decisions drop constraint planted`;
    expect(await program.stop()).toBe(0);
  });
  it('completes a request in progress when it is stopped', async () => {
    const program = await run(PAIR);
    const lock = await database.sql.reserve();
    await lock.unsafe('begin; lock table plans in access exclusive mode');
    const headers = { authorization: `Basic ${btoa('operator:hunter2')}` };
    const slow = fetch(`${program.address}/api/plans`, { headers });
    const waiting = () => database.sql`select from pg_locks where not granted and relation = 'plans'::regclass`;
    await expect.poll(async () => (await waiting()).length).toBeGreaterThan(0); // it has arrived
    const ended = program.stop();
    await lock.unsafe('rollback');
    lock.release();
    expect((await slow).status).toBe(200);
    expect(await ended).toBe(0);
  });
  it('announces the database it assumes where none is named', async () => {
    const program = await run({ ...PAIR, DATABASE_URL: '' });
    expect(program.said()).toMatch(/^DATABASE_URL is not set: the development database postgres:\/\/\S+ is used$/m);
    await program.stop();
  });
});

describe('a misspelt variable', () => {
  const line = 'GATEWAY_STATE_DIRECTORY: is not a setting. Did you mean GATEWAY_STATE_DIR?\n';
  it.each([[[]], [['--check-configuration']]])('is logged, and refuses nothing: %j', async (words) => {
    const program = await run({ ...PAIR, GATEWAY_STATE_DIRECTORY: 'hunter2', HOME: folder }, 'serverless', words);
    if (program.address !== null) await program.stop();
    expect([await program.ended, program.complained()]).toEqual([0, line]);
  });
});

describe('--check-configuration', () => {
  const checked = async (environment: Record<string, string>, profile?: string) => {
    const program = await run(environment, profile, ['--check-configuration']);
    return { code: await program.ended, said: program.said(), complained: program.complained() };
  };
  it.each([
    ['serverless', PAIR],
    ['on-premise', {}],
  ])('reports a valid configuration of the %s build, and creates nothing', async (profile, environment) => {
    const state = join(folder, `unmade-${profile}`);
    expect(await checked({ ...environment, GATEWAY_STATE_DIR: state }, profile)).toEqual({
      code: 0,
      said: 'The configuration is valid.\n',
      complained: '',
    });
    expect(existsSync(state)).toBe(false);
  });
  it('reports the same faults as a start, with the same exit code', async () => {
    const broken = join(folder, 'no-key.pem');
    writeFileSync(broken, 'no key');
    for (const environment of [
      { PORT: 'x' },
      { ...PAIR, DATABASE_URL: database.ownerUrl, GATEWAY_SIGNING_KEY_FILE: join(folder, 'unmade.pem') },
      { ...PAIR, GATEWAY_SIGNING_KEY_FILE: broken },
    ]) {
      const { code, said, complained } = await checked(environment);
      expect([code, said]).toEqual([1, '']);
      expect(complained.trimEnd().split('\n')).toEqual(await refusal(environment));
    }
  });
  it('is the only word there is: another one starts nothing', async () => {
    const program = await run(PAIR, 'serverless', ['--verbose']);
    expect([program.address, await program.ended]).toEqual([null, 2]);
    expect(program.complained()).toBe('Unknown argument --verbose. Usage: gateway-console [--check-configuration]\n');
  });
});

describe('the console refuses to start', () => {
  it('without the shared pair, with every fault at once', async () => {
    const lines = await refusal({ PORT: 'x' });
    expect(lines.map((line) => line.split(':')[0])).toEqual(['ADMIN_USER', 'ADMIN_PASS', 'PORT']);
  });
  it('with faults of its variables and of its database together', async () => {
    const lines = await refusal({ ADMIN_USER: 'a:b', HOST: 'here', DATABASE_URL: database.ownerUrl });
    expect(lines.map((line) => line.split(':')[0])).toEqual(['ADMIN_PASS', 'ADMIN_USER', 'HOST', 'DATABASE_URL']);
  });
  it.each([
    [{ DATABASE_CA_CERT: 'x', DATABASE_CA_CERT_PATH: '/x' }, /^DATABASE_CA_CERT_PATH: and DATABASE_CA_CERT are both/],
    [{ DATABASE_CA_CERT_PATH: '/no/such' }, /^DATABASE_CA_CERT_PATH: names a file that cannot be read \(ENOENT\)/],
    [{ DATABASE_CA_CERT: 'no PEM' }, /^DATABASE_CA_CERT: contains no PEM certificate/],
    [{ ADMIN_PASS: '' }, /^ADMIN_PASS: is not set/],
    [{ ADMIN_USER: ' ' }, /^ADMIN_USER: is not set/],
  ])('with %j', async (environment, line) => {
    expect(await refusal({ ...PAIR, ...environment })).toEqual([expect.stringMatching(line)]);
  });
  it('on-premise with an issuer that is no https address', async () => {
    for (const issuer of ['http://directory.example', 'https://directory.example?x=1', 'directory']) {
      const [line, ...more] = await refusal({ OIDC_ISSUER: issuer, OIDC_CLIENT_ID: 'console' }, 'on-premise');
      expect([line, more]).toEqual([expect.stringMatching(/^OIDC_ISSUER: /), []]);
    }
  });
  // console-18
  it('as the owner of the database', async () => {
    const lines = await refusal({ ...PAIR, DATABASE_URL: database.ownerUrl });
    expect(lines).toEqual([expect.stringMatching(/^DATABASE_URL: .*rewrite or erase/)]);
  });
  it("as the gateway's role, which lacks what the console needs", async () => {
    const lines = await refusal({ ...PAIR, DATABASE_URL: database.gatewayUrl });
    expect(lines).toEqual([expect.stringMatching(/^DATABASE_URL: .*console_service/)]);
  });
  it('with an encryption parameter in the address', async () => {
    const lines = await refusal({ ...PAIR, DATABASE_URL: `${database.consoleUrl}?sslmode=disable` });
    expect(lines).toEqual([expect.stringMatching(/^DATABASE_URL: carries the parameter sslmode/)]);
  });
  it('on a database that was not migrated, or does not answer', async () => {
    const empty = await createEmptyDatabase();
    try {
      expect((await refusal({ ...PAIR, DATABASE_URL: empty.consoleUrl }))[0]).toMatch(
        /^DATABASE_URL: .*gatewayctl migrate/,
      );
    } finally {
      await empty.drop();
    }
    const lines = await refusal({ ...PAIR, DATABASE_URL: 'postgres://console_service:hunter2@127.0.0.1:9/gateway' });
    expect(lines).toEqual([
      expect.stringMatching(/^DATABASE_URL: the database could not be queried .*: connect ECONNREFUSED .*\.$/),
    ]);
  });
  it('with a signing key that is none', async () => {
    const file = join(folder, 'broken.pem');
    writeFileSync(file, 'no key');
    const lines = await refusal({ ...PAIR, GATEWAY_SIGNING_KEY_FILE: file });
    expect(lines).toEqual([expect.stringMatching(/^GATEWAY_SIGNING_KEY_FILE: /)]);
  });
  it('on a port that is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const address = other.address();
    const port = typeof address === 'object' ? String(address?.port) : '';
    expect(await refusal({ ...PAIR, PORT: port })).toEqual([
      `PORT: port ${port} of 127.0.0.1 cannot be opened (EADDRINUSE): another program listens there.`,
    ]);
    other.close();
  });
  it('on an address of another machine', async () => {
    expect(await refusal({ ...PAIR, PORT: '0', HOST: '203.0.113.9' })).toEqual([
      'HOST: port 0 of 203.0.113.9 cannot be opened (EADDRNOTAVAIL).',
    ]);
  });
});
