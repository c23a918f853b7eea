import { spawn } from 'node:child_process';
import path from 'node:path';
import { installCached, PackagesAbsent } from '../../../toolchain/cached-packages.ts';
import { type Peer, PeerAbsent } from './peer.ts';
import { freePort, listening } from './program.ts';

/** Installed for the benchmark alone, with the versions of Hono it was locked to: with newer ones it answers 500. */
const PACKAGES = {
  '@portkey-ai/gateway': '1.15.2',
  hono: '4.9.7',
  '@hono/node-server': '1.13.5',
  '@hono/node-ws': '1.2.0',
};
const PROGRAM = 'node_modules/@portkey-ai/gateway/build/start-server.js';

async function install(): Promise<string> {
  try {
    return await installCached('bench-portkey', PACKAGES);
  } catch (error) {
    if (error instanceof PackagesAbsent) throw new PeerAbsent(error.message);
    throw error;
  }
}

export async function portkey(engine: URL): Promise<Peer> {
  const folder = await install();
  const port = await freePort();
  const child = spawn(process.execPath, [path.join(folder, PROGRAM), `--port=${port}`, '--headless'], {
    stdio: 'ignore',
    cwd: folder,
  });
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
    postmaster: null,
    stop: async () => {
      child.kill();
    },
  };
}
