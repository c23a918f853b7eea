import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAuthority } from '@gateway/access/development-authority';
import { createTestDatabase, type TestDatabase } from '@gateway/database/testing';
import { v7 } from 'uuid';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { profile as onPremise } from '../profile/on-premise.ts';
import { ask } from '../testing/caller.ts';
import { eventually } from '../testing/eventually.ts';
import { testLicense } from '../testing/license.ts';
import { type GatewayProcess, startProcess } from '../testing/process.ts';
import { startWorld, type World } from '../testing/world.ts';
import { decide } from './testing/decisions.ts';
import { ocsfFaults } from './testing/ocsf-schema.ts';
import { startOtlpReceiver } from './testing/otlp-receiver.ts';
import { RSYSLOG_INSTALLED, RSYSLOG_TLS, type Rsyslog, startRsyslog } from './testing/rsyslog.ts';

/** In pieces, so that this file contains nothing like a live credential. */
const CANARY = ['ghp', 'R7mQx2Lk9TfWb4ZsVn6YcJd8HgPa3EuN5t1K'].join('_');

interface Event {
  readonly class_uid: number;
  readonly metadata: { readonly uid: string; readonly log_name: string; readonly sequence: number };
}
const sequenceOf = (json: string): number => (JSON.parse(json) as Partial<Event>).metadata?.sequence ?? 0;
const over: (() => Promise<unknown>)[] = [];
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'log-export-'));
});
afterEach(async () => {
  for (const end of over.splice(0).toReversed()) await end();
  rmSync(folder, { recursive: true, force: true });
});

/** Traffic that creates an entry in every log, with a canary in every field that a caller controls. */
async function busyWorld(environment: Record<string, string>): Promise<World> {
  const license = await testLicense();
  const world = await startWorld({ profile: onPremise, environment: { ...environment, GATEWAY_LICENSE: license } });
  over.push(() => world.stop());
  const content = { model: 'm', messages: [{ role: 'user', content: `use ${CANARY}` }] };
  const headers = { 'x-request-id': CANARY, 'x-gateway-session': CANARY };
  await ask(world.port, '/chat/chat/completions', { key: world.key });
  await ask(world.port, '/chat/chat/completions', { key: world.key, body: content, headers });
  await ask(world.port, `/${CANARY}/x`, { key: world.key });
  await ask(world.port, '/chat/x', { headers: { authorization: `Bearer ${CANARY}` } });
  const act = { id: v7(), session: CANARY, subject: 'ada', at: new Date().toISOString(), tool: 'shell' };
  const target = { kind: 'command', value: `curl -H "Authorization: Bearer ${CANARY}" example.org` };
  const told = { ...act, target, authorizedBy: 'human', outcome: 'succeeded', reason: CANARY };
  // A workstation chooses its time and its texts: neither may stop the export, or change a terminal that shows it.
  const strange = { kind: 'path', value: 'a\u001b[2J\u0085b\u202ec\nd' };
  const acts = [told, { ...told, id: v7(), session: 'e\u009bf', at: '9999-12-30T00:00:00Z', target: strange }];
  const stored = await ask(world.port, '/ide/acts', { key: license, body: { acts } });
  expect(stored.status).toBe(200);
  await world.database.sql`
    insert into administration_actions (sequence, id, at, component, author, action, target, new_value, previous, digest)
    values (1, gen_random_uuid(), now(), 'console', 'root', 'subject.revoke', 'subject:ada',
      ${JSON.stringify({ reason: `leaked ${CANARY}` })}, sha256(''), sha256('a'))`;
  return world;
}

/** How many entries `busyWorld` leaves: three decisions, an action, a detection and two acts. */
const ENTRIES = 7;

/** What every entry of every log must have become. */
async function expectWhole(world: World, texts: () => readonly string[]): Promise<void> {
  // Refusals and detections are written after their answers.
  const uids = await eventually(async () => {
    const [logged] = await world.database.sql<{ uids: string[] }[]>`
        select json_agg(id) as uids from (
          select id from authorization_decisions union all select id from administration_actions
          union all select id from secret_detections union all select id from agent_acts) entries`;
    expect(logged?.uids).toHaveLength(ENTRIES);
    return logged?.uids;
  }, 50);
  // Detections and acts wait for the transactions of others on the server.
  const events = await eventually(() => {
    const seen = texts().map((text) => JSON.parse(text) as Event);
    expect(new Set(seen.map(({ metadata }) => metadata.uid))).toEqual(new Set(uids));
    return seen;
  }, 100);
  expect(events.flatMap(ocsfFaults)).toEqual([]);
  expect(texts().filter((text) => /[\p{Cc}\p{Bidi_Control}]|\\[nu](?!\{)/u.test(text))).toEqual([]);
  expect(new Set(events.map((one) => one.class_uid))).toEqual(new Set([6003, 3004, 2004]));
  expect(texts().join('\n')).not.toContain(CANARY.slice(4, 14));
  expect(world.reports.join('\n')).not.toContain(CANARY.slice(4, 14));
}

describe('a gateway that exports', () => {
  it.runIf(RSYSLOG_TLS)('to rsyslog over TLS sends every entry, valid, and no secret', async () => {
    const authority = createAuthority('Test authority');
    const { certificate: cert, key } = authority.certify(['localhost']);
    writeFileSync(join(folder, 'ca.pem'), authority.certificate);
    const rsyslog = await startRsyslog({ cert, key });
    over.push(() => rsyslog.remove());
    const world = await busyWorld({
      GATEWAY_LOG_EXPORT_URL: `syslog+tls://localhost:${rsyslog.port}`,
      GATEWAY_LOG_EXPORT_TLS_CA_FILE: join(folder, 'ca.pem'),
    });
    await expectWhole(world, () => rsyslog.received().map(({ message }) => message));
    expect(world.reports.filter((line) => line.startsWith('Log export'))).toEqual([]);
  });

  it('to an OTLP receiver sends every entry, valid, and no secret', async () => {
    const receiver = await startOtlpReceiver();
    over.push(() => receiver.stop());
    const world = await busyWorld({
      GATEWAY_LOG_EXPORT_URL: new URL(receiver.url).origin,
      GATEWAY_LOG_EXPORT_HEADERS: 'authorization=Bearer%20of-the-collector',
    });
    await expectWhole(world, () => receiver.records.map(({ body }) => body.stringValue));
    expect(receiver.headers[0]).toMatchObject({ authorization: 'Bearer of-the-collector' });
    expect(world.reports).toContain('GATEWAY_LOG_EXPORT_URL: the logs are sent to 127.0.0.1 unencrypted.');
  });

  it('to a collector that takes nothing serves as ever, and ends in order', async () => {
    const sockets = new Set<Socket>();
    const hole = createServer((socket) => sockets.add(socket.pause().on('error', () => {})));
    hole.listen(0, '127.0.0.1');
    await once(hole, 'listening');
    over.push(async () => {
      for (const socket of sockets) socket.destroy();
      hole.close();
    });
    const { port } = hole.address() as AddressInfo;
    const world = await startWorld({ environment: { GATEWAY_LOG_EXPORT_URL: `syslog+tcp://127.0.0.1:${port}` } });
    over.push(() => world.stop());
    await eventually(async () => {
      await ask(world.port, '/chat/chat/completions', { key: world.key });
      expect(sockets.size).toBeGreaterThan(0);
    });
    for (let call = 0; call < 20; call += 1)
      expect((await ask(world.port, '/chat/chat/completions', { key: world.key })).status).toBe(200);
    await world.gateway.stop();
    expect(await world.database.sql`select * from log_export_positions`).toHaveLength(0);
  });
});

describe.runIf(RSYSLOG_INSTALLED)('a backlog', () => {
  const COUNT = 20_000;
  /** Entries of one batch, at most. */
  const BATCH = 1000;
  let database: TestDatabase;
  let rsyslog: Rsyslog;
  beforeEach(async () => {
    [database, rsyslog] = await Promise.all([createTestDatabase(), startRsyslog()]);
    over.push(
      () => database.drop(),
      () => rsyslog.remove(),
    );
  });
  const start = async (name: string): Promise<GatewayProcess> => {
    const gateway = await startProcess({
      DATABASE_URL: database.gatewayUrl,
      GATEWAY_STATE_DIR: join(folder, name),
      GATEWAY_LOG_EXPORT_URL: `syslog+tcp://127.0.0.1:${rsyslog.port}`,
    });
    over.push(async () => {
      gateway.signal('SIGKILL');
      await gateway.ended;
    });
    return gateway;
  };

  it('arrives whole and in order, although gateways and receiver are killed in the middle of it', async () => {
    await decide(database, COUNT / 2);
    const first = await start('first');
    await rsyslog.has(1);
    first.signal('SIGKILL');
    await first.ended;
    await start('second');
    await start('third'); // one of them is on standby
    // Even with fast gateways, entries are pending when the receiver is killed.
    await rsyslog.has(COUNT / 4);
    await decide(database, COUNT / 2);
    await rsyslog.has(COUNT / 2 + 1);
    await rsyslog.stop('SIGKILL');
    await rsyslog.start();
    const last = (): number => sequenceOf(rsyslog.received().at(-1)?.message ?? '{}');
    await eventually(() => expect(last()).toBe(COUNT), 250);
    const sequences = rsyslog.received().map(({ message }) => sequenceOf(message));
    // Nothing lost, nothing out of order: each number is the next, or one at which a batch that was not confirmed began again.
    expect(sequences[0]).toBe(1);
    let highest = 0;
    for (const sequence of sequences) {
      expect(sequence).toBeLessThanOrEqual(highest + 1);
      expect(sequence).toBeGreaterThan(highest - BATCH);
      highest = Math.max(highest, sequence);
    }
    expect(highest).toBe(COUNT);
    expect(sequences.length).toBeLessThan(1.5 * COUNT);
  });
});
