import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type ClientHttp2Session, connect } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { createAuthority } from '@gateway/access/development-authority';
import { createTestDatabase, keyOf, type TestDatabase } from '@gateway/database/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HELLO } from '../testing/caller.ts';
import { declareChat } from '../testing/declare-chat.ts';
import { type Engine, startEngine } from '../testing/engine.ts';
import { eventually } from '../testing/eventually.ts';
import { type GatewayProcess, startProcess } from '../testing/process.ts';

describe.runIf(process.platform === 'linux')('a gateway of several processes over TLS', () => {
  const authority = createAuthority('authority of the service');
  const sessions: ClientHttp2Session[] = [];
  let engine: Engine;
  let database: TestDatabase;
  let folder: string;
  let gateway: GatewayProcess;

  function renewCertificate(name: string): void {
    const { certificate, key } = authority.certify([name, '127.0.0.1']);
    writeFileSync(join(folder, 'cert.pem'), certificate);
    writeFileSync(join(folder, 'key.pem'), key);
  }

  beforeAll(async () => {
    [engine, database] = await Promise.all([startEngine(), createTestDatabase()]);
    await declareChat(database.sql, engine);
    folder = mkdtempSync(join(tmpdir(), 'gateway-workers-tls-'));
    renewCertificate('first.example');
    gateway = await startProcess({
      DATABASE_URL: database.gatewayUrl,
      GATEWAY_STATE_DIR: join(folder, 'state'),
      GATEWAY_THREADS: '2',
      GATEWAY_DRAIN_SECONDS: '60',
      TLS_CERT_FILE: join(folder, 'cert.pem'),
      TLS_KEY_FILE: join(folder, 'key.pem'),
    });
  });
  afterAll(async () => {
    for (const session of sessions) session.destroy();
    gateway.signal('SIGKILL');
    await gateway.ended;
    await engine.stop();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Two sessions that follow each other go to two workers. */
  async function twoSessions(): Promise<readonly ClientHttp2Session[]> {
    const opened: ClientHttp2Session[] = [];
    for (const _ of [1, 2]) {
      const session = connect(`https://127.0.0.1:${gateway.port}`, { ca: authority.certificate });
      sessions.push(session.on('error', () => {}));
      await once(session, 'connect');
      opened.push(session);
    }
    return opened;
  }
  const begin = (session: ClientHttp2Session, path: string) =>
    session
      .request({ ':method': 'POST', ':path': path, authorization: `Bearer ${keyOf('caller')}` })
      .end(JSON.stringify(HELLO));
  async function statusOf(session: ClientHttp2Session): Promise<unknown> {
    const stream = begin(session, '/chat/plain').resume();
    const [headers] = (await once(stream, 'response')) as [Record<string, unknown>];
    await once(stream, 'close');
    return headers[':status'];
  }
  const nameOf = ({ socket }: ClientHttp2Session): string =>
    String((socket as TLSSocket).getPeerCertificate().subject.CN);

  it('serves HTTP/2 with each of them, and each presents a renewed certificate after SIGHUP', async () => {
    const before = await twoSessions();
    expect(before.map(nameOf)).toEqual(['first.example', 'first.example']);
    expect(await Promise.all(before.map(statusOf))).toEqual([200, 200]);
    renewCertificate('second.example');
    gateway.signal('SIGHUP');
    await eventually(async () =>
      expect((await twoSessions()).map(nameOf)).toEqual(['second.example', 'second.example']),
    );
    expect(await Promise.all(before.map(statusOf)), 'sessions that were open').toEqual([200, 200]);
  });

  it('lets the streams of each worker finish at SIGTERM, and ends with exit code 0', async () => {
    const finish: (() => void)[] = [];
    engine.on('/slow', (_, response) => void finish.push(() => response.end('{"done":true}')));
    const streams = (await twoSessions()).map((session) => begin(session, '/chat/slow'));
    await eventually(() => expect(finish).toHaveLength(2));
    gateway.signal('SIGTERM');
    await eventually(async () => {
      const late = connect(`https://127.0.0.1:${gateway.port}`, { ca: authority.certificate });
      sessions.push(late.on('error', () => {}));
      await expect(once(late, 'connect')).rejects.toThrow(/ECONNREFUSED/);
    });
    for (const end of finish) end();
    const bodies = streams.map(async (stream) => {
      const chunks: Buffer[] = [];
      for await (const chunk of stream) chunks.push(chunk as Buffer);
      return Buffer.concat(chunks).toString();
    });
    expect(await Promise.all(bodies)).toEqual(['{"done":true}', '{"done":true}']);
    expect(await gateway.ended).toBe(0);
  });
});
