import { generateKeyPairSync } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '@gateway/database/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Given, runGateway, spawnGateway } from '../testing/ended.ts';
import { testLicense } from '../testing/license.ts';

const KEY = `gwk_${'0123456789ab'.repeat(4)}`;

describe('a start', () => {
  let database: TestDatabase;
  let folder: string;
  beforeAll(async () => {
    database = await createTestDatabase();
    folder = mkdtempSync(join(tmpdir(), 'gateway-start-'));
  });
  afterAll(async () => {
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  const sound = (): Record<string, string> => ({
    DATABASE_URL: database.gatewayUrl,
    ADMIN_API_KEY: KEY,
    HOST: '127.0.0.1',
    PORT: '0',
    GATEWAY_STATE_DIR: join(folder, 'state'),
  });

  const program = (environment: Given, words: readonly string[] = [], profile = 'serverless') =>
    spawnGateway({ ...sound(), ...environment }, words, profile);
  const ended = (environment: Given, words: readonly string[] = []) =>
    runGateway({ ...sound(), ...environment }, words);

  /** The lines of a start that failed before a port was open; none of them shows a stack or the key. */
  async function refusal(environment: Given): Promise<readonly string[]> {
    const { code, out, lines } = await ended(environment);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(lines.join('\n')).not.toMatch(/^\s+at /m);
    expect(lines.join('\n')).not.toContain(KEY);
    return lines;
  }
  const matching = (...lines: readonly RegExp[]): string[] =>
    lines.map((line) => expect.stringMatching(line) as string);

  it.each<[string, Record<string, string>, RegExp]>([
    [
      'a database without a server',
      { DATABASE_URL: 'postgres://u:hidden-word@127.0.0.1:1/x' },
      /^gateway: DATABASE_URL: the database could not be queried .*ECONNREFUSED/,
    ],
    [
      'an unknown organization',
      { GATEWAY_ORGANIZATION: 'acme' },
      /^gateway: GATEWAY_ORGANIZATION: the organization "acme" is not known/,
    ],
    ['a weak administrator key', { ADMIN_API_KEY: `gwk_${'01'.repeat(24)}` }, /^gateway: ADMIN_API_KEY: is too weak/],
    // refusals-20, refusals-28
  ])('with %s is refused: one line, no port, no stack, no secret', async (_, environment, line) => {
    const { code, out, lines } = await ended(environment);
    expect({ code, out, lines }).toEqual({ code: 1, out: '', lines: [expect.stringMatching(line)] });
    expect(lines[0]).not.toContain('hidden-word');
  });

  it('with a misspelt variable logs it, and is not refused', async () => {
    const { code, out, lines } = await ended({ GATEWAY_DRAIN_SECOND: 'hidden-word' }, ['--check-configuration']);
    expect({ code, out }).toEqual({ code: 0, out: 'The configuration is valid.\n' });
    expect(lines).toContain('gateway: GATEWAY_DRAIN_SECOND: is not a setting. Did you mean GATEWAY_DRAIN_SECONDS?');
    expect(lines.join('\n')).not.toContain('hidden-word');
  });

  it('with the owner of the database is refused', async () => {
    const lines = await refusal({ DATABASE_URL: database.ownerUrl });
    expect(lines).toEqual(matching(/^gateway: DATABASE_URL: The database role .* could rewrite or erase/));
  });

  it('on a database without its schema is refused', async () => {
    const empty = await createEmptyDatabase();
    const { code, lines } = await ended({ DATABASE_URL: empty.gatewayUrl });
    await empty.drop();
    expect(code).toBe(1);
    expect(lines.join('\n')).toMatch(/gatewayctl migrate/);
  });

  it('with several faults reports them together', async () => {
    const faults = { ADMIN_API_KEY: 'x', PORT: '-1', GATEWAY_DRAIN_SECONDS: 'soon' };
    const lines = await refusal({ ...faults, DATABASE_URL: database.ownerUrl });
    expect(lines).toEqual(
      matching(/PORT/, /GATEWAY_DRAIN_SECONDS/, /ADMIN_API_KEY/, /DATABASE_URL: The database role/),
    );
  });

  it('with files of another content is refused', async () => {
    const text = join(folder, 'text.pem');
    writeFileSync(text, 'no PEM at all');
    const rsa = join(folder, 'rsa.pem');
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    writeFileSync(rsa, privateKey.export({ type: 'pkcs8', format: 'pem' }));
    expect(await refusal({ GATEWAY_SIGNING_KEY_FILE: text })).toEqual(
      matching(/GATEWAY_SIGNING_KEY_FILE: .*text\.pem is not a readable private key/),
    );
    expect(await refusal({ GATEWAY_SIGNING_KEY_FILE: rsa })).toEqual(
      matching(/GATEWAY_SIGNING_KEY_FILE: .*rsa\.pem is a key of type rsa/),
    );
    const own = join(folder, 'own.pem');
    expect(await refusal({ GATEWAY_STATE_DIR: join(text, 'below'), GATEWAY_SIGNING_KEY_FILE: own })).toEqual(
      matching(/GATEWAY_STATE_DIR: .*\(ENOTDIR\)/),
    );
  });

  it('on a database that is locked is refused instead of waiting without a word', async () => {
    await database.sql.begin(async (sql) => {
      await sql`lock table schema_migrations in access exclusive mode`;
      expect(await refusal({})).toEqual(matching(/DATABASE_URL: the database could not be queried .* lock timeout\.$/));
    });
  });

  it('on a read-only database is refused', async () => {
    const own = await createTestDatabase();
    await own.sql.unsafe(`alter database ${own.sql.options.database} set default_transaction_read_only = on`);
    const lines = await refusal({ DATABASE_URL: own.gatewayUrl });
    await own.drop();
    expect(lines).toEqual(
      matching(
        /DATABASE_URL: the database could not be queried at start: the server is read-only and takes no changes/,
      ),
    );
  });

  it.runIf(process.platform === 'linux')('with a state directory that cannot be created is refused', async () => {
    expect(await refusal({ GATEWAY_STATE_DIR: '/proc/none/state' })).toEqual(
      matching(/GATEWAY_STATE_DIR: \/proc\/none\/state cannot be written \((ENOENT|EACCES)\)/),
    );
  });

  it('on a port that is in use is refused', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const { port } = taken.address() as { port: number };
    const { code, lines } = await ended({ PORT: String(port) });
    await new Promise((resolve) => taken.close(resolve));
    expect(code).toBe(1);
    expect(lines.at(-1)).toMatch(
      /^gateway: PORT: port \d+ of 127\.0\.0\.1 cannot be opened \(EADDRINUSE\): another program listens there\.$/,
    );
  });

  it('on an address of another machine is refused', async () => {
    const { code, lines } = await ended({ HOST: '203.0.113.9' });
    expect(code).toBe(1);
    expect(lines.at(-1)).toMatch(/^gateway: HOST: port 0 of 203\.0\.113\.9 cannot be opened \(EADDRNOTAVAIL\)\.$/);
  });

  it('logs which pending file contains no record, and sets it aside', async () => {
    const state = mkdtempSync(join(folder, 'waiting-'));
    mkdirSync(join(state, 'usage'));
    writeFileSync(join(state, 'usage', 'torn.json'), '{"id":"');
    const lines = await refusal({ HOST: '192.0.2.1', GATEWAY_STATE_DIR: state });
    expect(lines).toContainEqual(
      `gateway: GATEWAY_STATE_DIR: ${join(state, 'usage', 'torn.json.unreadable')} contains no record and was set aside.`,
    );
    expect(readdirSync(join(state, 'usage'))).toContain('torn.json.unreadable');
  });

  it('logs a fault once, even if it occurs repeatedly', async () => {
    expect(await refusal({ GATEWAY_TRUSTED_PROXIES: '10.0.0.1,,' })).toEqual(
      matching(/^gateway: GATEWAY_TRUSTED_PROXIES: "" is neither an address/),
    );
  });

  describe('that is stopped before it is ready', () => {
    /** A database that takes connections and answers once it may. */
    async function waitingDatabase() {
      const sockets = new Set<Socket>();
      const { hostname, port } = new URL(database.gatewayUrl);
      const mayAnswer = new EventEmitter();
      const server = createServer((client) => {
        sockets.add(client.on('error', () => client.destroy()));
        mayAnswer.once('now', () => {
          const upstream = connect(Number(port), hostname).on('error', () => client.destroy());
          client.pipe(upstream).pipe(client);
        });
      }).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const own = String((server.address() as AddressInfo).port);
      return {
        url: Object.assign(new URL(database.gatewayUrl), { port: own }).href,
        asked: once(server, 'connection'),
        /** Later connections reach the database, too. */
        answer() {
          server.removeAllListeners('connection').on('connection', (client) => {
            sockets.add(client.on('error', () => client.destroy()));
            const upstream = connect(Number(port), hostname).on('error', () => client.destroy());
            client.pipe(upstream).pipe(client);
          });
          mayAnswer.emit('now');
        },
        cut() {
          server.close();
          for (const socket of sockets) socket.destroy();
        },
      };
    }

    it('ends in order once it is', async () => {
      const waiting = await waitingDatabase();
      const child = program({ DATABASE_URL: waiting.url });
      const closed = once(child, 'close');
      await waiting.asked;
      child.kill('SIGTERM');
      waiting.answer();
      expect(await closed).toEqual([0, null]);
      waiting.cut();
    });
    it('logs the cause where it is refused', async () => {
      const waiting = await waitingDatabase();
      const child = program({ DATABASE_URL: waiting.url });
      const [said, closed] = [child.stderr.setEncoding('utf8').toArray(), once(child, 'close')];
      await waiting.asked;
      child.kill('SIGINT');
      waiting.cut();
      expect(await closed).toEqual([1, null]);
      expect((await said).join('')).toMatch(/^gateway: DATABASE_URL: the database could not be queried [^\n]*\n$/);
    });
  });

  it('only to check its configuration changes nothing and ends well', async () => {
    const state = join(folder, 'unmade');
    const { code, out } = await ended({ GATEWAY_STATE_DIR: state }, ['--check-configuration']);
    expect({ code, out }).toEqual({ code: 0, out: 'The configuration is valid.\n' });
    expect(() => statSync(state)).toThrow(/ENOENT/);
    expect((await ended({ PORT: 'x' }, ['--check-configuration'])).code).toBe(1);
  });

  it('with unknown arguments is wrong usage', async () => {
    const { code, lines } = await ended({}, ['--verbose']);
    expect(code).toBe(2);
    expect(lines).toEqual(['gateway: Unknown argument --verbose. Usage: gateway [--check-configuration]']);
  });

  it('writes its lines with time and level where standard error is no terminal, or as JSON', async () => {
    const [timed] = (await ended({ GATEWAY_LOG_FORMAT: '' }, ['--verbose'])).lines;
    expect(timed).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z error gateway: Unknown argument --verbose\. /);
    const [json] = (await ended({ GATEWAY_LOG_FORMAT: 'json', PORT: 'x' })).lines;
    expect(JSON.parse(json ?? '')).toEqual({
      time: expect.stringMatching(/^\d{4}-.*Z$/),
      level: 'error',
      program: 'gateway',
      message: expect.stringMatching(/^PORT: must be a whole number/),
    });
    const { lines } = await ended({ GATEWAY_LOG_FORMAT: 'xml' });
    expect(lines[0]).toMatch(/Z error gateway: GATEWAY_LOG_FORMAT: must be plain, timed or json, not "xml"\.$/);
  });

  it.each(['serverless', 'on-premise'])(
    'that is valid (%s) logs its address, creates its key, and ends in order',
    async (profile) => {
      const state = join(folder, `made-${profile}`);
      const own = await createTestDatabase();
      const license = profile === 'on-premise' ? { GATEWAY_LICENSE: await testLicense() } : {};
      const child = program({ DATABASE_URL: own.gatewayUrl, GATEWAY_STATE_DIR: state, ...license }, [], profile);
      const closed = new Promise<number | null>((resolve) => {
        child.once('close', resolve);
      });
      const said = await new Promise<string>((resolve) => {
        child.stdout.setEncoding('utf8').once('data', resolve);
      });
      expect(said).toMatch(/^gateway listens on http:\/\/127\.0\.0\.1:\d+\n$/);
      const key = join(state, 'signing-key.pem');
      expect(statSync(key).mode & 0o777).toBe(0o600);
      expect(readFileSync(key, 'utf8')).toMatch(/BEGIN PRIVATE KEY/);
      expect(readdirSync(state)).toContain('usage');
      // Only the hosted build makes an account, also where the other one finds the variable.
      expect([...(await own.sql`select a.username, p.slug from accounts a join plans p on p.id = a.plan_id`)]).toEqual(
        profile === 'serverless' ? [{ username: 'admin', slug: 'administrator' }] : [],
      );
      child.kill('SIGTERM');
      expect(await closed).toBe(0);
      await own.drop();
    },
  );
});
