import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import net from 'node:net';

/** Starts a program that sends its address over its channel as soon as it listens. */
export function startProgram(file: URL, args: readonly string[] = []): Promise<{ child: ChildProcess; url: URL }> {
  const child = fork(file, args);
  return new Promise((resolve, reject) => {
    child.once('message', (url: string) => resolve({ child, url: new URL(url) }));
    child.once('exit', (code) => reject(new Error(`${file.pathname} ended with ${code}`)));
  });
}

/** A port of the loopback that is free at this moment. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = net.createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

/** Resolves as soon as something listens on the port; rejects after `milliseconds`. */
export async function listening(port: number, milliseconds: number): Promise<void> {
  const end = performance.now() + milliseconds;
  for (;;) {
    const open = await new Promise<boolean>((resolve) => {
      const socket = net.connect(port, '127.0.0.1');
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
      socket.once('connect', () => socket.destroy());
    });
    if (open) return;
    if (performance.now() > end) throw new Error(`nothing listens on port ${port}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Resident memory of a process in MB (Linux: /proc). */
export function residentMemory(pid: number): number {
  const line = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(line?.[1] ?? Number.NaN) / 1024;
}
