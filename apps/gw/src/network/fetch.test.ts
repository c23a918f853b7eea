import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { proxyVariables } from './proxies.ts';

const run = promisify(execFile);
/** In a process of its own: the proxies count for all of a process. */
const PROGRAM = `
const { createFetch } = await import(${JSON.stringify(new URL('./fetch.ts', import.meta.url).href)});
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
