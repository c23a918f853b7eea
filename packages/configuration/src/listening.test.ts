import { createServer, Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { addressOf, listeningFault, listeningReader, rememberPeer } from './listening.ts';
import { Reading } from './reading.ts';

const failed = (code: string): Error => Object.assign(new Error('listen'), { code });

it.each([
  ['EADDRINUSE', null, 'PORT: port 6002 cannot be opened (EADDRINUSE): another program listens there.'],
  ['EADDRINUSE', '::1', 'PORT: port 6002 of ::1 cannot be opened (EADDRINUSE): another program listens there.'],
  ['EACCES', '10.0.0.1', 'PORT: port 6002 of 10.0.0.1 cannot be opened (EACCES).'],
  ['EADDRNOTAVAIL', '203.0.113.9', 'HOST: port 6002 of 203.0.113.9 cannot be opened (EADDRNOTAVAIL).'],
  ['EAFNOSUPPORT', '::1', 'HOST: port 6002 of ::1 cannot be opened (EAFNOSUPPORT).'],
])('%s on %j is reported with the variable that fixes it', (code, host, line) => {
  expect(listeningFault(failed(code), host, 6002)).toBe(line);
});

it.each([
  [null, 'http://localhost:6002'],
  ['0.0.0.0', 'http://localhost:6002'],
  ['::', 'http://localhost:6002'],
  ['127.0.0.1', 'http://127.0.0.1:6002'],
  ['::1', 'http://[::1]:6002'],
])('what listens on %j is opened at %s', (host, address) => {
  expect(addressOf('http', host, 6002)).toBe(address);
});

describe('where a service listens', () => {
  const reader = listeningReader('gateway', 6002);
  const readFrom = (environment: Record<string, string>) => {
    const reading = new Reading(environment);
    return { ...reader.read(reading), faults: reading.faults };
  };

  it('is every address and the default port if nothing is set', () => {
    expect(readFrom({})).toEqual({ port: 6002, host: null, faults: [] });
    expect(reader.variables.map(({ name, fallback }) => [name, fallback])).toEqual([
      ['PORT', '6002'],
      ['HOST', 'every address'],
    ]);
  });

  it.each([
    ['0', '127.0.0.1'],
    ['65535', '::1'],
    ['1', '0.0.0.0'],
  ])('may be port %s of %s', (port, host) => {
    expect(readFrom({ PORT: port, HOST: host })).toEqual({ port: Number(port), host, faults: [] });
  });

  it('is refused with one line for each faulty variable', () => {
    expect(readFrom({ PORT: '65536', HOST: 'localhost' }).faults).toEqual([
      'PORT: must be a whole number from 0 to 65535, not "65536".',
      'HOST: must be an IP address of this machine, not "localhost".',
    ]);
  });

  it('is an address that the system can open, as it is read', async () => {
    const { port, host } = readFrom({ PORT: '0', HOST: '127.0.0.1' });
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(port, host ?? undefined, resolve));
    expect(server.address()).toMatchObject({ address: '127.0.0.1' });
    await new Promise((resolve) => server.close(resolve));
  });
});

it('a connection that is gone before its peer is known is closed', () => {
  const socket = new Socket();
  rememberPeer(socket);
  expect(socket.destroyed).toBe(true);
});
