import { createServer, Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { addressOf, listeningFault, listeningReader, PROXY_FORM, readProxy, rememberPeer } from './listening.ts';
import { Reading, type Variable } from './reading.ts';

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

const PROXY: Variable = { name: 'HTTPS_PROXY', form: PROXY_FORM, fallback: 'none', effect: 'Is used.' };

function read(environment: Record<string, string>) {
  const reading = new Reading(environment);
  return { url: readProxy(reading, PROXY)?.href ?? null, faults: reading.faults };
}

describe('the address of a proxy', () => {
  it.each([
    ['http://proxy.example:3128', 'http://proxy.example:3128/'],
    ['https://proxy.example', 'https://proxy.example/'],
    ['http://10.0.0.1:3128/', 'http://10.0.0.1:3128/'],
    ['http://[2001:db8::1]:3128', 'http://[2001:db8::1]:3128/'],
    ['http://user:p%40ss@proxy.example:3128', 'http://user:p%40ss@proxy.example:3128/'],
    ['HTTP://Proxy.Example:80', 'http://proxy.example/'],
    ['  http://proxy.example:3128\n', 'http://proxy.example:3128/'],
  ])('may be %j', (value, href) => {
    expect(read({ HTTPS_PROXY: value })).toEqual({ url: href, faults: [] });
  });

  it('is that of the variable in capitals, else of the one in lower case, else none', () => {
    const [one, other] = ['http://one:1/', 'http://other:2/'];
    expect(read({ https_proxy: other }).url).toBe(other);
    expect(read({ HTTPS_PROXY: one, https_proxy: other }).url).toBe(one);
    expect(read({ HTTPS_PROXY: ' ', https_proxy: other }).url).toBe(other);
    expect(read({ Https_Proxy: one })).toEqual({ url: null, faults: [] });
  });

  it.each([
    'proxy.example:3128',
    'proxy.example',
    'socks5://proxy.example:1080',
    'http://',
    'http://proxy.example:0',
    'http://proxy.example:65536',
    'http://proxy.example/path',
    'http://proxy.example/?q=1',
    'http://proxy.example/#part',
    'http://proxy example',
    'direct',
  ])('is not %j, and the message shows how it is written', (value) => {
    expect(read({ HTTPS_PROXY: value })).toEqual({
      url: null,
      faults: ['HTTPS_PROXY: is not the address of a proxy. Write it as http://host:port, without a path.'],
    });
  });

  it.each(['http://us%er:x@proxy.example:1', 'http://user:100%@proxy.example:1', 'http://user:%ff@proxy.example:1'])(
    'has a user and a password that can be decoded: %s',
    (value) => {
      expect(read({ HTTPS_PROXY: value })).toEqual({
        url: null,
        faults: ['HTTPS_PROXY: has a user or a password with a broken percent-encoding. Write % as %25.'],
      });
    },
  );

  it('never has its password in a message', () => {
    for (const value of [
      'http://u:hunter2@proxy/path',
      'ftp://u:hunter2@proxy',
      'http://u:hunter2%@proxy',
      'hunter2',
    ]) {
      const { faults } = read({ https_proxy: value });
      expect(faults).toHaveLength(1);
      expect(faults.join()).not.toContain('hunter2');
    }
  });
});
