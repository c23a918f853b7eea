import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { freePort } from '@gateway/database/embedded';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { onPort, refuseTaken, unlessTaken } from './component.ts';
import { StartFault } from './environment.ts';

let holder: Server;
let taken: number;

beforeEach(async () => {
  holder = createServer().listen(0, '127.0.0.1');
  await once(holder, 'listening');
  taken = (holder.address() as AddressInfo).port;
});

afterEach(() => holder.close());

it('a port in use is refused with the option that chooses another', async () => {
  const refused = refuseTaken('gateway', '--port', taken);
  await expect(refused).rejects.toThrow(StartFault);
  await expect(refused).rejects.toThrow(new RegExp(`Port ${taken}, for the gateway, is used .*--port`));
});

it('a free port, and any port, are refused to nobody', async () => {
  for (const port of [await freePort(), 0]) {
    await expect(refuseTaken('gateway', '--port', port)).resolves.toBeUndefined();
  }
});

it('a port that another program keeps may be any other; a free one is itself', async () => {
  const free = await freePort();
  expect(await Promise.all([unlessTaken(taken), unlessTaken(free), unlessTaken(0)])).toEqual([0, free, 0]);
});

it('a component that may use any port is started on another one if its port was taken meanwhile', async () => {
  const tried: number[] = [];
  const quicker = createServer();
  const port = await onPort(0, async (given) => {
    tried.push(given);
    if (tried.length > 1) return given;
    await once(quicker.listen(given, '127.0.0.1'), 'listening');
    throw new StartFault('The gateway ended with 1 before it was ready.');
  });
  quicker.close();
  expect([tried.length, port]).toEqual([2, tried[1]]);
});

it('what fails for another reason, or was to listen on one port alone, is started once', async () => {
  for (const asked of [0, taken]) {
    const tried: number[] = [];
    const failing = onPort(asked, (given) => {
      tried.push(given);
      return Promise.reject(new StartFault('The gateway ended with 1 before it was ready.'));
    });
    await expect(failing).rejects.toThrow('ended with 1');
    expect(tried).toHaveLength(1);
  }
});
