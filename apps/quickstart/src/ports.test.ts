import { once } from 'node:events';
import { type AddressInfo, createServer, Server } from 'node:net';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { StartFault } from './fault.ts';
import { portFor, portNear } from './ports.ts';

let holder: Server;
let taken: number;

beforeEach(async () => {
  holder = createServer().listen(0, '127.0.0.1');
  await once(holder, 'listening');
  taken = (holder.address() as AddressInfo).port;
});

afterEach(() => holder.close());

it('a taken port is refused with the option that chooses another', async () => {
  const refused = portFor('gateway', '--port', taken);
  await expect(refused).rejects.toThrow(StartFault);
  await expect(refused).rejects.toThrow(new RegExp(`Port ${taken}, for the gateway, is taken .*--port`));
});

it('0 gives a free one, below those that systems give to outgoing connections: it stays free until it is used', async () => {
  for (const port of [await portFor('gateway', '--port', 0), await portNear(0), await portNear(taken)]) {
    expect(port).toBeGreaterThan(0);
    expect(port).toBeLessThan(32_768);
  }
});

it('a free port is itself', async () => {
  const free = await portFor('gateway', '--port', 0);
  expect(await portFor('gateway', '--port', free)).toBe(free);
});

it('a free port is itself also where this program was held up while it was asked', async () => {
  const free = await portFor('gateway', '--port', 0);
  const asked = portFor('gateway', '--port', free);
  // The answer is there, and nobody has read it, when the time for it is over.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1100);
  expect(await asked).toBe(free);
});

it('a port that was asked for is never opened, not for a moment', async () => {
  const listen = vi.spyOn(Server.prototype, 'listen');
  const free = await portFor('gateway', '--port', 0);
  listen.mockClear();
  await portFor('gateway', '--port', free);
  expect(listen).not.toHaveBeenCalled();
  listen.mockRestore();
});

it('near a taken port lies another', async () => {
  const port = await portNear(taken);
  expect(port).not.toBe(taken);
  expect(port).toBeGreaterThan(0);
});
