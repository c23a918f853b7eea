import { once } from 'node:events';
import { createServer, Server } from 'node:net';
import { afterEach, expect, it, vi } from 'vitest';
import { freePort, isTaken, onFreePort } from './service-user.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});
async function listenOn(port: number): Promise<number> {
  const server = createServer();
  servers.push(server.listen(port, '127.0.0.1'));
  await once(server, 'listening');
  return port;
}

it('a free port can be listened on, and is below the ephemeral ports', async () => {
  const port = await freePort();
  expect(port).toBeLessThan(32_768);
  expect(await isTaken(port)).toBe(false);
  expect(await listenOn(port)).toBe(port);
  expect(await isTaken(port)).toBe(true);
});

it('the search opens no port, even briefly: a concurrent search finds it free, too', async () => {
  const listen = vi.spyOn(Server.prototype, 'listen');
  await freePort();
  expect(listen).not.toHaveBeenCalled();
  listen.mockRestore();
});

it('a port is found free, even if this program was delayed during the check', async () => {
  const free = await freePort();
  const asked = isTaken(free);
  // The answer has arrived, but is unread, when its time limit ends.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1100);
  expect(await asked).toBe(false);
});

it('a program whose port is in use is started on another one', async () => {
  const tried: number[] = [];
  const port = await onFreePort(async (given) => {
    tried.push(given);
    if (tried.length === 1) await listenOn(given); // another process was faster
    return listenOn(given);
  });
  expect(tried).toHaveLength(2);
  expect(port).toBe(tried[1]);
});

it('a program that fails for another reason fails immediately', async () => {
  const start = vi.fn(() => Promise.reject(new Error('no')));
  await expect(onFreePort(start)).rejects.toThrow('no');
  expect(start).toHaveBeenCalledTimes(1);
});
