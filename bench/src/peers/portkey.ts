import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { freePort, listening } from '../program.ts';
import { type Peer, PeerAbsent } from './peer.ts';

/** Installed for the benchmark alone, with the versions of Hono it was locked to: with newer ones it answers 500. */
const PACKAGES = {
  '@portkey-ai/gateway': '1.15.2',
  hono: '4.9.7',
  '@hono/node-server': '1.13.5',
  '@hono/node-ws': '1.2.0',
};
const FOLDER = path.resolve('node_modules/.cache/bench-portkey');
const PROGRAM = path.join(FOLDER, 'node_modules/@portkey-ai/gateway/build/start-server.js');

function install(): void {
  if (existsSync(PROGRAM)) return;
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(path.join(FOLDER, 'package.json'), JSON.stringify({ private: true, dependencies: PACKAGES }));
  const ran = spawnSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', FOLDER], {
    cwd: FOLDER,
    encoding: 'utf8',
  });
  if (ran.status !== 0) throw new PeerAbsent(`@portkey-ai/gateway could not be installed: ${ran.stderr.slice(-300)}`);
}

export async function portkey(engine: URL): Promise<Peer> {
  install();
  const port = await freePort();
  const child = spawn(process.execPath, [PROGRAM, `--port=${port}`, '--headless'], { stdio: 'ignore', cwd: FOLDER });
  await listening(port, 20_000);
  return {
    name: 'Portkey',
    target: {
      port,
      path: '/v1/chat/completions',
      headers: {
        authorization: 'Bearer bench',
        'x-portkey-provider': 'openai',
        'x-portkey-custom-host': `${engine.origin}/v1`,
      },
    },
    pid: child.pid ?? null,
    stop: async () => {
      child.kill();
    },
  };
}
