import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Peer } from './peer.ts';
import { freePort, listening } from './program.ts';

/** The strings that /proc has of a process: its arguments, or its environment (Linux). */
const stringsOf = (pid: number, file: 'cmdline' | 'environ'): readonly string[] =>
  readFileSync(`/proc/${pid}/${file}`, 'utf8').split('\0').slice(0, -1);

/** A second instance on the same database, as behind a load balancer: started like the first, except for its address. */
export async function secondProcess({ pid, target }: Peer): Promise<Peer> {
  if (pid === null) throw new Error('the first process is not known: two are measured on Linux alone');
  const port = await freePort();
  const folder = mkdtempSync(path.join(os.tmpdir(), 'bench-gateway-'));
  const [program = process.execPath, ...words] = stringsOf(pid, 'cmdline');
  const child = spawn(program, words, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...Object.fromEntries(stringsOf(pid, 'environ').map((entry) => entry.split(/=(.*)/s, 2))),
      PORT: String(port),
      GATEWAY_STATE_DIR: folder,
      GATEWAY_SIGNING_KEY_FILE: path.join(folder, 'signing-key.pem'),
    },
  });
  await listening(port, 20_000);
  return {
    name: 'second process',
    target: { ...target, port },
    pid: child.pid ?? null,
    postmaster: null,
    stop: async () => {
      child.once('exit', () => rmSync(folder, { recursive: true, force: true }));
      child.kill();
    },
  };
}
