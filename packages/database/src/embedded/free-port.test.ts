import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { freePort, onFreePort } from './free-port.ts';

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

it('a free port can be listened on', async () => {
  const port = await freePort();
  expect(await listenOn(port)).toBe(port);
});

it('what finds its port taken is started on another one', async () => {
  const tried: number[] = [];
  const port = await onFreePort(async (given) => {
    tried.push(given);
    if (tried.length === 1) await listenOn(given); // somebody else was quicker
    return listenOn(given);
  });
  expect(tried).toHaveLength(2);
  expect(port).toBe(tried[1]);
});

it('what never starts fails with its own reason', async () => {
  await expect(onFreePort(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
});
