import { once } from 'node:events';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { testLicense } from '../../apps/gateway/src/testing/license.ts';
import { freePort } from '../../packages/database/src/embedded/service-user.ts';
import { composeOf } from './compose.ts';
import { buildImage, IS_ROOT, leaveOutUnlessRoot, withDependencies } from './image.ts';

/**
 * The compose file as the manual starts it, by a runner over podman. No test fetches an image: that of PostgreSQL is made of the
 * server that this machine has, with a script in place of its entry point.
 */
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** The newest server of this machine, and what its entry point needs. */
const SERVER = [
  `postgresql-${readdirSync('/usr/lib/postgresql').sort().at(-1)}`,
  'base-files',
  'dash',
  'bash',
  'coreutils',
  'util-linux',
  'sed',
  'grep',
  'tzdata',
];
const CTL = '/opt/gateway/gatewayctl.js';

let folder: string;
let port: number;
let image: ReturnType<typeof buildImage>;
let compose: ReturnType<typeof composeOf>;
let engine: Server;

beforeEach(leaveOutUnlessRoot);
beforeAll(async () => {
  if (!IS_ROOT) return;
  folder = mkdtempSync(join(tmpdir(), 'gateway-compose-'));
  image = buildImage();
  image.base('docker.io/library/postgres:17', withDependencies(SERVER), {
    files: {
      '/usr/local/bin/entrypoint': join(ROOT, 'tests/deploy/compose-database.sh'),
      '/etc/passwd': '/etc/passwd', // Debian's postgres
      '/etc/group': '/etc/group',
    },
    settings: ['--entrypoint=["/bin/bash", "/usr/local/bin/entrypoint"]', '--env=PATH=/usr/bin:/bin'],
  });

  engine = createServer((request, response) => {
    request.resume().once('end', () => response.end('{"usage":{"prompt_tokens":3,"completion_tokens":2}}'));
  }).listen(0);
  await once(engine, 'listening');

  const own = join(folder, 'compose');
  cpSync(join(ROOT, 'deploy/compose'), own, { recursive: true });
  port = await freePort();
  const passwords = readFileSync(join(own, 'example.env'), 'utf8').replaceAll(/PASSWORD=$/gm, 'PASSWORD=0123abc');
  const ports = `GATEWAY_PORT=${port}\nCONSOLE_PORT=${await freePort()}\n`;
  writeFileSync(join(own, '.env'), `${passwords}${ports}`);
  writeFileSync(join(own, 'license.jws'), await testLicense());
  const example = readFileSync(join(ROOT, 'deploy/systemd/console.env'), 'utf8');
  writeFileSync(join(own, 'console.env'), example.replace(/^DATABASE_URL=.*$/m, ''));
  compose = composeOf(own, image.env);
}, 600_000); // it builds two images
afterAll(async () => {
  if (!IS_ROOT) return;
  compose?.remove();
  engine?.close();
  await image?.remove();
  rmSync(folder, { recursive: true, force: true });
});

/** An engine on the machine that runs the containers. */
const declarations = (enginePort: number): string => `
version: 1
providers:
  - slug: local
    name: Local engine
    baseUrl: http://host.containers.internal:${enginePort}
    clearTextAcknowledged: true
models: [{ provider: local, slug: small, name: Small, inputPrice: 0, outputPrice: 0 }]
endpoints: [{ name: chat, provider: local, model: small }]
`;

async function call(key: string): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${port}/chat/v1/chat/completions`, {
    method: 'POST',
    // A connection of its own: while podman runs, this process does not notice that a gateway has closed one.
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', connection: 'close' },
    body: JSON.stringify({ messages: [{ role: 'user', content: 'Hello' }] }),
  });
  await answer.text();
  return answer.status;
}

/** Waits until a service has logged a text: the container runs before its program serves. */
async function logged(name: string, text: string): Promise<void> {
  await expect.poll(() => compose.logs(name), { timeout: 60_000, interval: 500 }).toContain(text);
}

it('starts database, migrations, gateway and console, serves a call, and ends in order', async () => {
  await compose.up();
  await logged('gateway', 'listens on');
  await logged('console', 'listens on');
  for (const name of ['database', 'gateway', 'console']) expect(compose.state(name)).toBe('running');

  const { port: enginePort } = engine.address() as AddressInfo;
  compose.run('migrate', [CTL, 'apply', '/dev/stdin', '--author', 'Olga'], declarations(enginePort));
  const [key = ''] = /gwk_[0-9a-f]+/.exec(compose.run('migrate', [CTL, 'account', 'create', 'casey'])) ?? [];
  compose.run('migrate', [CTL, 'grant', 'casey', 'standard-user', 'Olga']);
  expect(await call(key)).toBe(200);
  expect(await call('gwk_unknown')).toBe(401);

  expect(compose.stop()).toEqual({ console: '0', gateway: '0', migrate: '0', database: '0' });
  await compose.up();
  await logged('gateway', 'listens on');
  expect(await call(key)).toBe(200); // the volumes have kept accounts and keys
  expect(compose.run('migrate', [CTL, 'decisions'])).toMatch(/casey.*chat|chat.*casey/);
}, 300_000);
