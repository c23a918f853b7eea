import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterEach, describe, expect, it } from 'vitest';
import { unacknowledged } from './unacknowledged.ts';

const over: (() => void)[] = [];
afterEach(() => {
  for (const end of over.splice(0).toReversed()) end();
});
const loopback = Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => address));
const hasIPv6 = loopback.includes('::1');
const KINDS: readonly (readonly [kind: string, listen: string, host: string])[] = [
  ['of version 4', '127.0.0.1', '127.0.0.1'],
  ...(hasIPv6 ? ([['of version 6', '::1', '::1']] as const) : []),
  ...(hasIPv6 ? ([['of version 4 in the form of version 6', '::', '::ffff:127.0.0.1']] as const) : []),
];

/** Both ends of a connection; the far one does not read. */
async function connection(listen: string, host: string): Promise<{ near: Socket; far: Socket }> {
  const server = createServer({ pauseOnConnect: true }).listen(0, listen);
  over.push(() => server.close());
  await once(server, 'listening');
  const near = connect((server.address() as AddressInfo).port, host);
  over.push(() => near.destroy());
  near.on('error', () => {});
  const [[far]] = (await Promise.all([once(server, 'connection'), once(near, 'connect')])) as [[Socket], unknown];
  over.push(() => far.destroy());
  return { near, far };
}

describe.runIf(existsSync('/proc/net/tcp')).each(KINDS)('a connection between addresses %s', (_, listen, host) => {
  it('has nothing outstanding before it is used, nor once everything has arrived', async () => {
    const { near, far } = await connection(listen, host);
    expect(await unacknowledged(near)).toBe(0);
    near.write('x'.repeat(1000));
    const [piece] = (await once(far.resume(), 'data')) as [Buffer];
    expect(piece).toHaveLength(1000);
    await expect.poll(() => unacknowledged(near)).toBe(0);
  });

  it('has what the other side has no room for, until it reads', async () => {
    const { near, far } = await connection(listen, host);
    near.write(Buffer.alloc(16 * 2 ** 20));
    await expect.poll(() => unacknowledged(near)).toBeGreaterThan(0);
    far.resume();
    await expect.poll(() => near.writableLength).toBe(0);
    await expect.poll(() => unacknowledged(near)).toBe(0);
  });

  it('has it also after the other side has said that it sends no more', async () => {
    const { near, far } = await connection(listen, host);
    near.write(Buffer.alloc(16 * 2 ** 20));
    await new Promise<void>((resolve) => far.end(resolve));
    expect(await unacknowledged(near)).toBeGreaterThan(0);
  });

  it('is gone once it was reset, or closed', async () => {
    const { near, far } = await connection(listen, host);
    const closed = new Promise((resolve) => near.resume().once('close', resolve));
    far.resetAndDestroy();
    await closed;
    expect(await unacknowledged(near)).toBeNull();
  });
});
