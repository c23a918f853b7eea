import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
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
  const agents: Agent[] = [];
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
    for (const agent of agents) agent.destroy();
    gateway.signal('SIGKILL');
    await gateway.ended;
    await engine.stop();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function call(agent: Agent, path: string): Promise<IncomingMessage> {
    const sent = request(`https://127.0.0.1:${gateway.port}${path}`, {
      agent,
      method: 'POST',
      headers: { authorization: `Bearer ${keyOf('caller')}` },
    }).end(JSON.stringify(HELLO));
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    return response;
  }
  /** The status of a call, and the name in the certificate of its connection. */
  async function shown(agent: Agent): Promise<readonly [status: number | undefined, name: string]> {
    const response = await call(agent, '/chat/plain');
    const name = String((response.socket as TLSSocket).getPeerCertificate().subject.CN);
    await once(response.resume(), 'end');
    return [response.statusCode, name];
  }
  /** Two connections that follow each other go to two workers. */
  function twoConnections(): readonly Agent[] {
    const opened = [1, 2].map(() => new Agent({ ca: authority.certificate, keepAlive: true, maxSockets: 1 }));
    agents.push(...opened);
    return opened;
  }
  const both = async (connections: readonly Agent[]) => [
    await shown(connections[0] as Agent),
    await shown(connections[1] as Agent),
  ];

  it('serves with each of them, and each presents a renewed certificate after SIGHUP', async () => {
    const before = twoConnections();
    expect(await both(before)).toEqual([
      [200, 'first.example'],
      [200, 'first.example'],
    ]);
    renewCertificate('second.example');
    gateway.signal('SIGHUP');
    await eventually(async () =>
      expect(await both(twoConnections())).toEqual([
        [200, 'second.example'],
        [200, 'second.example'],
      ]),
    );
    expect(await both(before), 'connections that were open').toEqual([
      [200, 'first.example'],
      [200, 'first.example'],
    ]);
  });

  it('lets the streams of each worker finish at SIGTERM, and ends with exit code 0', async () => {
    const finish: (() => void)[] = [];
    engine.on('/slow', (_, response) => void finish.push(() => response.end('{"done":true}')));
    const answers = twoConnections().map((agent) => call(agent, '/chat/slow'));
    await eventually(() => expect(finish).toHaveLength(2));
    gateway.signal('SIGTERM');
    await eventually(async () => {
      const late = connect({ port: gateway.port, host: '127.0.0.1', ca: authority.certificate });
      await expect(once(late, 'secureConnect')).rejects.toThrow(/ECONNREFUSED/);
    });
    for (const end of finish) end();
    const bodies = answers.map(async (answer) => {
      const chunks: Buffer[] = [];
      for await (const chunk of await answer) chunks.push(chunk as Buffer);
      return Buffer.concat(chunks).toString();
    });
    expect(await Promise.all(bodies)).toEqual(['{"done":true}', '{"done":true}']);
    expect(await gateway.ended).toBe(0);
  });
});
