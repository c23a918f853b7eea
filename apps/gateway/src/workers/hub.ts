import { chmodSync, readdirSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { codeOf } from '@gateway/configuration';
import { processRuns } from '../process/process-runs.ts';
import { StartupFault } from '../process/start-fault.ts';
import { readJsonLines } from './json-lines.ts';

const NAME = /^workers-(\d+)\.sock$/;

/** The socket on which the main process serves its workers. */
export interface Hub {
  readonly path: string;
  close(): void;
}

/** Takes the lines of a connection after its first. */
export type TakeLine = (value: unknown) => void;

/**
 * Opens it in the state directory, for the gateway's own user alone.
 * @param serve takes a connection and its first line
 * @throws StartupFault where it cannot be opened
 */
export async function openHub(directory: string, serve: (socket: Socket, first: unknown) => TakeLine): Promise<Hub> {
  for (const name of readdirSync(directory)) {
    const [, pid] = NAME.exec(name) ?? [];
    if (pid !== undefined && !processRuns(Number(pid))) rmSync(join(directory, name), { force: true });
  }
  const path = join(directory, `workers-${process.pid}.sock`);
  rmSync(path, { force: true });
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).once('close', () => sockets.delete(socket));
    let take: TakeLine = (first) => {
      take = serve(socket, first);
    };
    readJsonLines(socket, (value) => take(value));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) =>
      reject(
        new StartupFault(
          `GATEWAY_STATE_DIR: the socket ${path} cannot be opened (${codeOf(error)}). Set a shorter path, or GATEWAY_THREADS=1.`,
        ),
      ),
    );
    server.listen(path, resolve);
  });
  chmodSync(path, 0o600);
  return {
    path,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
