import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createTestDatabase, type TestDatabase } from '@gateway/database/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';

// The export runs in a thread, whose program an artifact carries beside its own: what works from the sources must work there.
const ROOT = fileURLToPath(new URL('..', import.meta.url));
let database: TestDatabase;
let folder: string;
beforeAll(async () => {
  const env = { ...process.env, GATEWAY_DEPLOYMENT_PROFILE: 'serverless' };
  spawnSync(process.execPath, ['toolchain/build.ts', '--when-changed'], { cwd: ROOT, env });
  database = await createTestDatabase();
  folder = mkdtempSync(join(tmpdir(), 'artifact-'));
});
afterAll(async () => {
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

it('an artifact exports its logs', async () => {
  let received = '';
  const collector = createServer((socket) => {
    socket.on('data', (chunk) => {
      received += String(chunk);
    });
  });
  collector.listen(0, '127.0.0.1');
  await once(collector, 'listening');
  const gateway = spawn(process.execPath, [join(ROOT, 'dist/serverless/gateway.js')], {
    cwd: folder,
    env: {
      DATABASE_URL: database.gatewayUrl,
      ADMIN_API_KEY: `gwk_${'0123456789ab'.repeat(4)}`,
      HOST: '127.0.0.1',
      PORT: '0',
      GATEWAY_LOG_EXPORT_URL: `syslog+tcp://127.0.0.1:${(collector.address() as AddressInfo).port}`,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  gateway.stderr.on('data', (chunk) => {
    said += String(chunk);
  });
  const ended = once(gateway, 'close');
  const [line] = (await Promise.race([once(gateway.stdout, 'data'), ended])) as [unknown];
  const address = /http:\S+/.exec(String(line))?.[0] ?? said;
  // A call without credentials is refused and recorded: the log's first entry.
  expect((await fetch(`${address}/chat/x`)).status).toBe(401);
  await expect.poll(() => received).toContain('"status_code":"credentials-missing"');
  expect(received).toMatch(/^\d+ <\d+>1 \S+ \S+ gateway \d+ decision - \{/);
  gateway.kill('SIGTERM');
  const [code] = await ended;
  expect(code).toBe(0);
  expect(said).not.toContain('Log export');
  collector.close();
});
