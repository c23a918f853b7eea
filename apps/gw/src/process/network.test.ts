import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { promisify } from 'node:util';
import { createAuthority } from '@gateway/access/development-authority';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isBrokenConnection, networkReason, originOf, proxyVariables } from './network.ts';

const run = promisify(execFile);
/** In a process of its own: the proxies count for all of a process. */
const PROGRAM = `
const { createFetch } = await import(${JSON.stringify(new URL('./network.ts', import.meta.url).href)});
const [variables, url] = process.argv.slice(1);
const answer = await createFetch(new Map(Object.entries(JSON.parse(variables))))(url).catch((error) => error);
console.log(answer instanceof Error ? 'failed: ' + answer.cause.message : await answer.text());
`;

/** A server that says its name, and what it was asked for. */
async function named(name: string) {
  const server = createServer((request, response) => response.end(`${name}: ${request.url}`));
  server.on('connect', (request, socket) => {
    // What goes through a tunnel for plain HTTP is answered here.
    socket.write('HTTP/1.1 200 OK\r\n\r\n');
    socket.once('data', () => {
      const text = `${name}: ${request.url}`;
      socket.end(`HTTP/1.1 200 OK\r\ncontent-length: ${text.length}\r\nconnection: close\r\n\r\n${text}`);
    });
    socket.on('error', () => socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
async function fetched(variables: Readonly<Record<string, string>>, url: string): Promise<string> {
  const words = ['--input-type=module', '--eval', PROGRAM, '--', JSON.stringify(variables), url];
  const { stdout } = await run(process.execPath, words, { env: { PATH: process.env['PATH'] ?? '' } });
  return stdout.trim();
}

describe('what gw fetches', () => {
  it.each(['HTTP_PROXY', 'http_proxy'])(
    'goes by the proxy that %s names, also without a hint to Node.js',
    async (name) => {
      const proxy = await named('proxy');
      expect(await fetched({ [name]: proxy }, 'http://gateway.test/a')).toMatch(/^proxy: .*gateway\.test/);
    },
  );

  it('goes past the proxy for what NO_PROXY names, and without variables', async () => {
    const [proxy, gateway] = [await named('proxy'), await named('gateway')];
    expect(await fetched({ HTTP_PROXY: proxy, NO_PROXY: '127.0.0.1' }, `${gateway}/a`)).toBe('gateway: /a');
    expect(await fetched({}, `${gateway}/b`)).toBe('gateway: /b');
  });

  it('fails where the proxy is not there: nothing goes past it unseen', async () => {
    const gateway = await named('gateway');
    expect(await fetched({ HTTP_PROXY: 'http://127.0.0.1:9' }, `${gateway}/a`)).toBe(
      'failed: the proxy http://127.0.0.1:9 does not answer (ECONNREFUSED). Start it, or correct or unset HTTP_PROXY',
    );
  });

  it.each(['proxy:3128', ':::', 'socks5://proxy.test:1', 'http://'])(
    'names a variable that is no address: %s',
    (value) => {
      expect(() => proxyVariables(new Map([['https_proxy', value]]))).toThrow('https_proxy is no address of a proxy.');
    },
  );
});

async function portOf(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
/** The error with which `fetch` fails, without the sentence that says nothing. */
async function failureOf(url: string): Promise<unknown> {
  try {
    await fetch(url);
  } catch (error) {
    return error instanceof Error ? error.cause : error;
  }
  return null;
}

describe('why a connection failed', () => {
  it('is said of an address where nothing listens', async () => {
    const server = createServer();
    const port = await portOf(server);
    server.close();
    const error = await failureOf(`http://127.0.0.1:${port}`);
    expect([networkReason(error), isBrokenConnection(error)]).toEqual([
      'nothing listens there. Start the gateway, or correct its address in the configuration.',
      true,
    ]);
  });

  it('is said of a name with several addresses, of which none answers', () => {
    const errors = ['ECONNREFUSED', 'ENETUNREACH'].map((code) => Object.assign(new Error(code), { code }));
    const error = new AggregateError(errors);
    expect([networkReason(error), isBrokenConnection(error)]).toEqual([
      expect.stringMatching(/^nothing listens/),
      true,
    ]);
  });

  it('is said of a connection that the other side closes', async () => {
    const port = await portOf(createServer((request) => request.socket.resetAndDestroy()));
    const error = await failureOf(`http://127.0.0.1:${port}`);
    expect([networkReason(error), isBrokenConnection(error)]).toEqual(['the connection was closed.', true]);
  });

  it('is said of a certificate whose authority is not known', async () => {
    const { certificate, key } = createAuthority('a').certify(['127.0.0.1']);
    const port = await portOf(createSecureServer({ cert: certificate, key }));
    expect(networkReason(await failureOf(`https://127.0.0.1:${port}`))).toBe(
      'its certificate has an authority that is not known. Set NODE_EXTRA_CA_CERTS to its file.',
    );
  });

  it.each([
    [new Error('Parse Error'), 'Parse Error.'],
    [Object.assign(new Error('odd'), { code: 'EODD' }), 'odd.'],
    ['a text', 'a text.'],
    [undefined, 'undefined.'],
    [new AggregateError([]), expect.any(String)],
  ])('is the message of %j, which nothing is known of', (error, says) => {
    expect(networkReason(error)).toEqual(says);
  });
});

describe('what of an address is shown', () => {
  it.each([
    ['https://casey:secret@gateway.example/demo/v1?key=1#x', 'https://gateway.example'],
    ['http://127.0.0.1:6001/a', 'http://127.0.0.1:6001'],
    ['https://gateway.example:443/', 'https://gateway.example'],
  ])('of %s is %s', (url, origin) => {
    expect(originOf(url)).toBe(origin);
  });
});
