import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase, declaring, keyOf, type TestDatabase, verdictOn } from '@gateway/database/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ask, HELLO, type Watched, watch } from '../testing/caller.ts';
import { declareChat } from '../testing/declare-chat.ts';
import { runGateway } from '../testing/ended.ts';
import { type Engine, startEngine } from '../testing/engine.ts';
import { eventually } from '../testing/eventually.ts';
import { type GatewayProcess, startProcess } from '../testing/process.ts';

const STREAM = { ...HELLO, stream: true };
/** As the events of a command carry its output. */
const inBase64 = (text: string): string => Buffer.from(text).toString('base64');

describe.runIf(process.platform === 'linux')('a gateway of several processes', () => {
  let engine: Engine;
  let database: TestDatabase;
  let folder: string;
  const started: GatewayProcess[] = [];
  /** Ends the streams that the engine keeps open. */
  let finish = (): void => {};
  const key = keyOf('caller');

  beforeAll(async () => {
    [engine, database] = await Promise.all([startEngine(), createTestDatabase()]);
    folder = mkdtempSync(join(tmpdir(), 'gateway-workers-'));
    await declareChat(database.sql, engine);
    const ends: (() => void)[] = [];
    finish = () => ends.splice(0).forEach((end) => end());
    engine.on('/held', (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: {"choices":[{"delta":{"content":"One"}}]}\n\n');
      ends.push(() => response.end('data: [DONE]\n\n'));
    });
  });
  afterEach(async () => {
    for (const one of started.splice(0)) {
      one.signal('SIGKILL');
      await one.ended;
    }
  });
  afterAll(async () => {
    await engine.stop();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  const environment = (more: Record<string, string> = {}) => ({
    DATABASE_URL: database.gatewayUrl,
    GATEWAY_STATE_DIR: mkdtempSync(join(folder, 'state-')),
    GATEWAY_THREADS: '2',
    ...more,
  });
  async function start(more: Record<string, string> = {}): Promise<GatewayProcess> {
    const gateway = await startProcess(environment(more));
    started.push(gateway);
    return gateway;
  }
  /** The workers by their numbers. */
  function workersOf({ pid }: GatewayProcess): Map<number, number> {
    const found = new Map<number, number>();
    for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
      try {
        const parent = /^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${name}/status`, 'utf8'))?.[1];
        const number = /--worker=(\d+):/.exec(readFileSync(`/proc/${name}/cmdline`, 'utf8'))?.[1];
        if (Number(parent) === pid && number !== undefined) found.set(Number(number), Number(name));
      } catch {
        // It has ended meanwhile.
      }
    }
    return found;
  }
  const pidOf = (gateway: GatewayProcess, worker: number): number => workersOf(gateway).get(worker) ?? 0;
  const held = (gateway: GatewayProcess, count: number): Watched[] =>
    Array.from({ length: count }, () => watch(gateway.port, '/chat/held', { key, body: STREAM }));

  /** Calls on one open connection, which stays with its worker. */
  function keptConnection(port: number, account: string) {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    return {
      async call(path = '/chat/plain'): Promise<number> {
        const headers = { authorization: `Bearer ${keyOf(account)}`, 'content-type': 'application/json' };
        const outgoing = request({ agent, host: '127.0.0.1', port, path, method: 'POST', headers });
        outgoing.end(JSON.stringify(HELLO));
        const [incoming] = await once(outgoing, 'response');
        incoming.resume();
        await once(incoming, 'end');
        return incoming.statusCode;
      },
      close: () => agent.destroy(),
    };
  }

  it('serves on one port with all of them, as one chain, and cuts no call at SIGTERM', async () => {
    const declare = declaring(database.sql);
    await declare.account('leaver', { plan: await declare.plan('leavers', null) });
    await declare.grant('leaver', 'utilisateur-standard');
    const gateway = await start({ GATEWAY_DRAIN_SECONDS: '60' });
    expect(new Set(workersOf(gateway).keys())).toEqual(new Set([1, 2]));
    const streams = held(gateway, 4);
    await Promise.all(streams.map((stream) => stream.shows('One')));
    const answers = await Promise.all(Array.from({ length: 40 }, () => ask(gateway.port, '/chat/plain', { key })));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect((await ask(gateway.port, '/chat/plain', { key: keyOf('nobody') })).status).toBe(401);
    // A revocation applies from the next request on, in every worker.
    const connections = [keptConnection(gateway.port, 'leaver'), keptConnection(gateway.port, 'leaver')];
    for (const connection of connections) expect(await connection.call()).toBe(200);
    await database.sql`
      insert into subject_revocations (id, subject, reason, author) values (gen_random_uuid(), 'leaver', 'left', 'admin')`;
    for (const connection of connections) expect(await connection.call()).toBe(403);
    for (const connection of connections) connection.close();
    const line = 'SIGHUP: nothing was reloaded';
    gateway.signal('SIGHUP');
    await eventually(() => expect(gateway.said()).toContain(line));
    gateway.signal('SIGTERM');
    await eventually(() => expect(ask(gateway.port, '/chat/plain', { key: '' })).rejects.toThrow(/ECONNREFUSED/));
    finish();
    expect(await Promise.all(streams.map(({ done }) => done))).toEqual(Array.from({ length: 4 }, () => 'complete'));
    expect(await gateway.ended).toBe(0);
    expect(gateway.said().split(line), 'both workers found the same').toHaveLength(2);
    const [row] = await database.sql`select
      (select count(*)::int from authorization_decisions where outcome = 'granted') as granted,
      (select count(*)::int from authorization_decisions where reason = 'key-unknown') as unknown,
      (select count(*)::int from authorization_decisions where reason = 'subject-revoked') as revoked,
      (select count(*)::int from request_logs) as used`;
    expect(row).toEqual({ granted: 46, unknown: 1, revoked: 2, used: 46 });
    expect(await verdictOn(database.sql, 'authorization_decisions')).toMatchObject({ ok: true });
  });

  // limits-12
  it('continues while a killed worker is restarted, and relays nothing without an earlier decision', async () => {
    const gateway = await start();
    const state = { over: false };
    const whole: string[] = [];
    const caller = async (name: string): Promise<void> => {
      for (let call = 0; !state.over; call += 1) {
        const id = `killed-${name}-${call}`;
        const asking = { key, headers: { 'x-request-id': id } };
        if ((await watch(gateway.port, '/chat/plain', asking).done) === 'complete') whole.push(id);
      }
    };
    const callers = Array.from({ length: 8 }, (_, index) => caller(String(index)));
    for (const worker of [1, 2]) {
      const before = whole.length;
      await eventually(() => expect(whole.length).toBeGreaterThan(before + 30), 1);
      const pid = pidOf(gateway, worker);
      process.kill(pid, 'SIGKILL');
      const line = `Worker ${worker} (process ${pid}) ended (signal SIGKILL).`;
      await eventually(() => expect(gateway.said()).toContain(line));
      await eventually(() => expect(gateway.said()).toContain(`Worker ${worker} serves again`));
    }
    state.over = true;
    await Promise.all(callers);
    const ids = engine.received.map(({ headers }) => String(headers['x-request-id']));
    const rows = await database.sql`select request_id from authorization_decisions where outcome = 'granted'`;
    const approved = new Set(rows.map((row) => row['request_id']));
    expect(ids.filter((id) => id.startsWith('killed-') && !approved.has(id))).toEqual([]);
    // What the killed ones had not written is written by those that follow them.
    await eventually(async () => {
      const used = await database.sql`
        select d.request_id from request_logs l join authorization_decisions d on d.id = l.id`;
      const metered = new Set(used.map((row) => row['request_id']));
      expect(whole.filter((id) => !metered.has(id))).toEqual([]);
    });
    expect(await verdictOn(database.sql, 'authorization_decisions')).toMatchObject({ ok: true });

    // A connection that was passed to a worker before its kill is closed. Two go to two workers.
    const frozen = pidOf(gateway, 1);
    process.kill(frozen, 'SIGSTOP');
    const streams = held(gateway, 2);
    await Promise.race(streams.map((stream) => stream.shows('One')));
    process.kill(frozen, 'SIGKILL');
    expect(await Promise.race(streams.map(({ done }) => done))).toBe('broken');

    // A main process that is killed takes its workers with it, and the port is free.
    const workers = [...workersOf(gateway).values()];
    gateway.signal('SIGKILL');
    expect(await Promise.all(streams.map(({ done }) => done))).toEqual(['broken', 'broken']);
    for (const pid of workers) await eventually(() => expect(() => process.kill(pid, 0)).toThrow(/ESRCH/));
    await expect(ask(gateway.port, '/chat/plain', { key })).rejects.toThrow(/ECONNREFUSED/);
    finish();
  });

  it('runs agent commands for all workers, and ends them and what is left at SIGTERM', async () => {
    const gateway = await start({
      GATEWAY_DRAIN_SECONDS: '0',
      GATEWAY_AGENT_LAUNCHER: 'process',
      GATEWAY_AGENT_WORKDIR: mkdtempSync(join(folder, 'work-')),
    });
    const begin = (script: string): Watched =>
      watch(gateway.port, '/_agent-execution/commands', {
        key,
        body: {
          session: 's',
          interpreteur: 'sh',
          arguments: ['-c', script],
          variablesSupplementaires: { WORD: 'kept' },
        },
      });
    const WAITS = 'echo ready; exec sleep 600';
    const identifierOf = (command: Watched): string => /"identifiant":"([^"]+)"/.exec(command.text())?.[1] ?? '';
    const causesOf = async (commands: readonly Watched[]): Promise<unknown[]> => {
      const ids = commands.map(identifierOf);
      const rows = await database.sql`select cause from agent_command_ends where command_id in ${database.sql(ids)}`;
      return rows.map((row) => row['cause']);
    };
    expect(await begin('echo "$WORD" > note').done).toBe('complete');
    for (const _ of [1, 2]) {
      const read = begin('cat note'); // by the next worker each time: a session has one directory
      expect(await read.done).toBe('complete');
      expect(read.text()).toContain(inBase64('kept\n'));
    }
    const commands = Array.from({ length: 4 }, () => begin(WAITS));
    await Promise.all(commands.map((command) => command.shows(inBase64('ready\n'))));
    for (const _ of [1, 2]) expect((await begin('true').head).statusCode).toBe(429);
    // Two connections that follow each other go to two workers; so did those of the commands.
    for (const command of commands.slice(0, 2)) {
      const path = `/_agent-execution/commands/${identifierOf(command)}/interrupt`;
      expect((await ask(gateway.port, path, { key, method: 'POST' })).status).toBe(200);
      expect(await command.done).toBe('complete');
      expect(command.text()).toContain('"interrompu":true');
    }
    // Commands of a killed worker end like those of callers that left.
    for (const pid of workersOf(gateway).values()) process.kill(pid, 'SIGKILL');
    const left = commands.slice(2);
    expect(await Promise.all(left.map(({ done }) => done))).toEqual(['broken', 'broken']);
    await eventually(async () => expect(await causesOf(left)).toEqual(['disconnected', 'disconnected']));

    const [command, stream] = [begin(WAITS), ...held(gateway, 1)];
    await Promise.all([command?.shows(inBase64('ready\n')), stream?.shows('One')]);
    gateway.signal('SIGTERM');
    expect(await command?.done).toBe('complete');
    expect(command?.text()).toContain('"interrompu":true');
    expect(await stream?.done).toBe('broken');
    expect(await gateway.ended).toBe(0);
    expect(await causesOf([command])).toEqual(['shutdown']);
    expect(gateway.said()).toContain('1 answers were cut at the end of GATEWAY_DRAIN_SECONDS.');
    finish();
  });

  it('takes over the records of an earlier start’s workers, even where there are no workers now', async () => {
    const state = mkdtempSync(join(folder, 'state-'));
    const left = join(state, 'worker-7', 'usage');
    mkdirSync(left, { recursive: true });
    writeFileSync(join(left, 'torn.json'), '{"id":"');
    const gateway = await start({ GATEWAY_STATE_DIR: state, GATEWAY_THREADS: '1' });
    expect(gateway.said()).toContain(
      `GATEWAY_STATE_DIR: ${join(state, 'usage', 'torn.json.unreadable')} contains no record`,
    );
    expect(readdirSync(state)).not.toContain('worker-7');
  });

  it('ends with exit code 1 where a worker cannot be started any more', async () => {
    const state = mkdtempSync(join(folder, 'state-'));
    const gateway = await start({ GATEWAY_STATE_DIR: state });
    rmSync(join(state, 'signing-key.pem'));
    process.kill(pidOf(gateway, 2), 'SIGKILL');
    expect(await gateway.ended).toBe(1);
    expect(gateway.said()).toMatch(/GATEWAY_SIGNING_KEY_FILE: .*signing-key\.pem is gone\. Restore it\./);
    expect(gateway.said()).toContain('Worker 2 could not be started 5 times in a row: the gateway ends.');
  });

  it.each([
    [
      'a port that is taken',
      async () => ({ PORT: String(await takenPort()) }),
      /^gateway: PORT: port \d+ .*EADDRINUSE/,
    ],
    [
      'a state directory whose socket would have too long a name',
      async () => ({ GATEWAY_STATE_DIR: join(folder, 'long'.repeat(30)) }),
      /^gateway: GATEWAY_STATE_DIR: the socket .* cannot be opened \(EINVAL\)\. Set a shorter path, or GATEWAY_THREADS=1\.$/,
    ],
  ])('is refused with one line and exit code 1 for %s', async (_what, given, expected) => {
    const base = { ADMIN_API_KEY: `gwk_${'0123456789ab'.repeat(4)}`, HOST: '127.0.0.1', PORT: '0' };
    const { code, out, lines } = await runGateway({ ...base, ...environment(), ...(await given()) });
    expect({ code, out }).toEqual({ code: 1, out: '' });
    const reported = lines.filter((line) => !/signing key|admin/.test(line));
    expect(reported).toEqual([expect.stringMatching(expected) as unknown]);
  });

  async function takenPort(): Promise<number> {
    const server = createServer().listen(0, '127.0.0.1').unref();
    await once(server, 'listening');
    const address = server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  }
});
