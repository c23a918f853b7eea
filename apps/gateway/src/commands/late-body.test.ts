import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startIdentityProvider, type TestIdentityProvider } from '@gateway/access/testing';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { eventually } from '../testing/eventually.ts';
import { startWorld, type World } from '../testing/world.ts';

const BODY = JSON.stringify({ session: 'one', interpreteur: 'true', arguments: [], variablesSupplementaires: {} });

let provider: TestIdentityProvider;
let folder: string;
let world: World;
let ahead = 0;

beforeAll(async () => {
  provider = await startIdentityProvider();
  folder = mkdtempSync(join(tmpdir(), 'gateway-late-body-'));
  const authority = join(folder, 'authority.pem');
  writeFileSync(authority, provider.authority.certificate);
  const workdir = join(folder, 'work');
  mkdirSync(workdir);
  const { now } = Date;
  vi.spyOn(Date, 'now').mockImplementation(() => now() + ahead);
  world = await startWorld({
    environment: {
      GATEWAY_AGENT_LAUNCHER: 'process',
      GATEWAY_AGENT_WORKDIR: workdir,
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: 'gateway',
      OIDC_TLS_CA_FILE: authority,
    },
  });
  await world.declare.grant('alice', 'utilisateur-standard');
});
afterAll(async () => {
  vi.restoreAllMocks();
  await world.stop();
  await provider.stop();
  rmSync(folder, { recursive: true });
});

/** Sends a head with a token, and advances the clock once the gateway requests the body. */
function command(token: string, by: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(world.port, '127.0.0.1');
    let got = '';
    socket.setEncoding('latin1').on('error', reject);
    socket.on('close', () => resolve(got));
    socket.on('data', (part: string) => {
      got += part;
      if (got !== 'HTTP/1.1 100 Continue\r\n\r\n') return;
      ahead = by;
      socket.write(BODY);
    });
    socket.write(
      `POST /_agent-execution/commands HTTP/1.1\r\nHost: g\r\nAuthorization: Bearer ${token}\r\n` +
        `Content-Length: ${BODY.length}\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n`,
    );
  });
}

it('a command whose token expired before its body arrived is not run', async () => {
  const token = await provider.signIn('alice');
  expect(await command(token, 0)).toContain('"evenement":"fin"');
  expect(await command(token, 86_400_000)).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 401 /);
  await eventually(async () =>
    expect(await world.entries()).toMatchObject([{ outcome: 'granted' }, { status: 401, reason: 'token-expired' }]),
  );
  expect(await world.database.sql`select from agent_commands`).toHaveLength(1);
});
