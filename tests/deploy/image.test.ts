import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createTestDatabase, declaring, keyOf, type TestDatabase } from '@gateway/database/testing';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { testLicense } from '../../apps/gateway/src/testing/license.ts';
import { buildImage, IS_ROOT, leaveOutUnlessRoot } from './image.ts';

/** The image as the manual builds it, started as the manual says: with a read-only root file system, as its own user, without rights. */
let image: ReturnType<typeof buildImage>;
let database: TestDatabase;
let engine: Server;

beforeEach(leaveOutUnlessRoot);
beforeAll(async () => {
  if (!IS_ROOT) return;
  image = buildImage();
  engine = createServer((request, response) => {
    request.resume().once('end', () => response.end('{"usage":{"prompt_tokens":3,"completion_tokens":2}}'));
  }).listen(0, '127.0.0.1');
  await once(engine, 'listening');
  database = await createTestDatabase();
  const declare = declaring(database.sql);
  const baseUrl = `http://127.0.0.1:${(engine.address() as AddressInfo).port}`;
  await declare.endpoint('chat', await declare.model(await declare.provider('engine', { baseUrl }), 'small'));
  await declare.account('caller');
  await declare.grant('caller', 'utilisateur-standard');
});
afterAll(async () => {
  await image?.remove();
  engine?.close();
  await database?.drop();
});

it('runs as a dedicated user under an init, and contains no secret', () => {
  expect(image.configuration).toMatchObject({
    User: '10001:10001',
    Entrypoint: ['/usr/bin/tini', '--', 'node'],
    Cmd: ['/opt/gateway/gateway.js'],
  });
  expect(image.configuration.Env.join('\n')).not.toMatch(/PASSWORD|TOKEN|LICENSE|DATABASE_URL/);
});

it('serves calls and the manual, writes only to its state, and ends with 0 at SIGTERM', async () => {
  const gateway = image.start('gateway', {
    DATABASE_URL: database.gatewayUrl,
    GATEWAY_LICENSE: await testLicense(),
    HOST: '127.0.0.1',
    PORT: '0',
  });
  const address = await gateway.said(/http:\/\/127\.0\.0\.1:\d+/);
  const answer = await fetch(`${address}/chat/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${keyOf('caller')}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'any', messages: [{ role: 'user', content: 'Hello' }] }),
  });
  expect(answer.status).toBe(200);
  expect((await fetch(`${address}/v/deployment/services`)).status).toBe(200);

  expect(gateway.execute('id', '-u').stdout.trim()).toBe('10001');
  expect(gateway.execute('touch', '/opt/gateway/x').stderr).toMatch(/Read-only file system/);
  expect(gateway.execute('cat', '/proc/1/comm').stdout.trim()).toBe('tini');
  expect(gateway.execute('ls', '/opt/gateway').stdout).not.toMatch(/^gw(?:\.js)?$/m);
  expect(gateway.execute('ls', '/var/lib/gateway').stdout).not.toBe('');

  gateway.signal('TERM');
  expect(await gateway.ended).toBe(0);
});

it('contains the migrations and the console', async () => {
  const migrations = image.start('migrate', { DATABASE_URL: database.ownerUrl }, [
    '/opt/gateway/gatewayctl.js',
    'migrate',
    '--check',
  ]);
  expect([await migrations.ended, migrations.output()]).toEqual([0, expect.stringContaining('The schema is current.')]);
  const console_ = image.start('console', { HOST: '127.0.0.1', PORT: '0' }, ['/opt/gateway/console.js']);
  expect(await console_.ended).toBe(1);
  expect(console_.output()).toMatch(/DATABASE_URL/);
});
