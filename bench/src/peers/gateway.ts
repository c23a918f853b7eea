import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import readline from 'node:readline';
import postgres from 'postgres';
import type { Peer } from './peer.ts';
import { parentProcess } from './processor-time.ts';

/** This product, whole: account key, revocations, license or plan, roles, decision durable before the relay, usage record. */
export interface Gateway extends Peer {
  readonly database: { readonly owner: string; readonly gateway: string };
}

interface Ready {
  readonly gateway: string;
  readonly database: { readonly owner: string; readonly gateway: string };
  readonly keys: { readonly demo: string };
  readonly endpoint: string;
}

/** The process that listens on a TCP port of this machine (Linux: /proc), or null. */
export function listenerOf(port: number): number | null {
  if (!existsSync('/proc/net/tcp')) return null;
  const hexadecimal = port.toString(16).toUpperCase().padStart(4, '0');
  const sockets = new Set(
    ['/proc/net/tcp', '/proc/net/tcp6']
      .flatMap((file) => readFileSync(file, 'utf8').split('\n').slice(1))
      .map((line) => line.trim().split(/\s+/))
      .filter((columns) => columns[3] === '0A' && columns[1]?.endsWith(`:${hexadecimal}`))
      .map((columns) => `socket:[${columns[9]}]`),
  );
  const holds = (pid: string): boolean => {
    try {
      return readdirSync(`/proc/${pid}/fd`).some((fd) => sockets.has(readlinkSync(`/proc/${pid}/fd/${fd}`)));
    } catch {
      return false; // has exited, or belongs to another user
    }
  };
  const found = readdirSync('/proc').find((name) => /^\d+$/.test(name) && holds(name));
  return found === undefined ? null : Number(found);
}

/** The first process of the server behind an address: the parent of every connection's process. */
async function postmasterOf(address: string): Promise<number | null> {
  const sql = postgres(address, { max: 1 });
  const [backend] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
  const parent = backend === undefined ? null : parentProcess(backend.pid);
  await sql.end();
  return parent;
}

/**
 * Starts a stack as `npm start` does, with the benchmark's engine behind it.
 * @param args more options of `npm start`, which is hosted where they do not say otherwise.
 */
export async function gateway(name: string, engine: URL, args: readonly string[] = []): Promise<Gateway> {
  const child = spawn(
    'npm',
    ['start', '--silent', '--', '--ephemeral', '--json', '--engine', engine.origin, '--model', 'bench-model', ...args],
    { stdio: ['ignore', 'pipe', 'inherit'], detached: true },
  );
  const ready = await new Promise<Ready>((resolve, reject) => {
    readline.createInterface({ input: child.stdout }).once('line', (line) => resolve(JSON.parse(line) as Ready));
    child.once('exit', (code) => reject(new Error(`npm start ended with ${code}`)));
  });
  const port = Number(new URL(ready.gateway).port);
  return {
    name,
    target: {
      port,
      path: `/${ready.endpoint}/v1/chat/completions`,
      headers: { authorization: `Bearer ${ready.keys.demo}` },
    },
    pid: listenerOf(port),
    postmaster: await postmasterOf(ready.database.owner),
    database: ready.database,
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve());
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGINT');
      }),
  };
}
