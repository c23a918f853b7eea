import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** How many ports are tried where others take them first. */
const ATTEMPTS = 5;

/**
 * Starts something on a free port, and again on another one where it does not start: somebody else may have taken the port
 * between the look and its use.
 */
export async function onFreePort<Started>(start: (port: number) => Promise<Started>): Promise<Started> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await start(await freePort());
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
    }
  }
}

/** A port of this machine that nobody listens on. */
export async function freePort(): Promise<number> {
  // Below the ports that systems give to outgoing connections, so that nobody takes it between this look and its use.
  for (;;) {
    const port = randomInt(10_000, 30_000);
    const server = createServer().listen(port, '127.0.0.1');
    try {
      await once(server, 'listening');
    } catch {
      continue; // taken
    }
    server.close();
    await once(server, 'close');
    return port;
  }
}
