import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { freePort, listening } from '../program.ts';
import type { Gateway } from './gateway.ts';
import type { Peer } from './peer.ts';

/** A second gateway process on the same database, as behind a balancer. */
export async function secondProcess(first: Gateway, artifact: string): Promise<Peer> {
  const port = await freePort();
  const folder = mkdtempSync(path.join(os.tmpdir(), 'bench-gateway-'));
  const child = spawn(process.execPath, [artifact], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      PORT: String(port),
      DATABASE_URL: first.database.gateway,
      ADMIN_API_KEY: first.adminKey,
      GATEWAY_STATE_DIR: folder,
      GATEWAY_SIGNING_KEY_FILE: path.join(folder, 'signing-key.pem'),
    },
  });
  await listening(port, 20_000);
  return {
    name: 'second process',
    target: { ...first.target, port },
    pid: child.pid ?? null,
    stop: async () => {
      child.once('exit', () => rmSync(folder, { recursive: true, force: true }));
      child.kill();
    },
  };
}
