import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createFetch } from './fetch.ts';
import { guardedLookup, isOwnAddress } from './get.ts';
import { testProject } from './testing/project.ts';

const fetch = createFetch({});
async function site(listener: RequestListener) {
  const server = createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  onTestFinished(() => server.close().closeAllConnections());
  return { port, url: `http://127.0.0.1:${port}` };
}
const answering = (status: number, headers: Record<string, string>, body: string | Buffer) =>
  site((_, answer) => void answer.writeHead(status, headers).end(body));

describe('Fetch', () => {
  it('gives the text of a page', async () => {
    const t = await testProject();
    const page = await answering(
      200,
      { 'content-type': 'text/html; charset=utf-8' },
      '<html><head><style>x{}</style><script>bad()</script></head><body><h1>Heading</h1><p>The <b>words</b> of <a href="/x">the page</a>.</p></body></html>',
    );
    const { outcome, content } = await t.run(fetch, { url: page.url });
    expect(outcome).toBe('succeeded');
    expect(content).toMatch(/Heading\s+The words of the page \[\/x\]\./);
    expect(content).not.toMatch(/bad|x\{/);
  });
  it.each([
    [404, 'text/plain', 'No such page.', 'failed', /answered 404\.\nNo such page\./],
    [200, 'application/json', '{"a":1}', 'succeeded', /^\{"a":1\}$/],
    [200, 'image/png', 'x', 'failed', /not text \(image\/png, 1 bytes\)/],
    [200, 'text/plain', 'a\0b', 'failed', /not text/],
    [200, 'text/plain', '', 'succeeded', /^\(no text\)$/],
    [200, 'text/plain', 'word '.repeat(30_000), 'succeeded', /\[90000 more characters were left out/],
  ])('of %s %s', async (status, type, body, outcome, text) => {
    const t = await testProject();
    const page = await answering(status, { 'content-type': type }, body);
    expect(await t.run(fetch, { url: page.url })).toEqual({ outcome, content: expect.stringMatching(text) });
  });
  it('follows redirects within the host and reports those to another', async () => {
    const t = await testProject();
    const page = await site((asked, answer) => {
      const to =
        asked.url === '/a'
          ? '/b'
          : asked.url === '/out'
            ? 'http://example.invalid/x'
            : asked.url === '/loop'
              ? '/loop'
              : asked.url === '/file'
                ? 'file:///etc/passwd'
                : null;
      answer
        .writeHead(to === null ? 200 : 302, { 'content-type': 'text/plain', ...(to === null ? {} : { location: to }) })
        .end(asked.url);
    });
    expect((await t.run(fetch, { url: `${page.url}/a` })).content).toBe('/b');
    expect((await t.run(fetch, { url: `${page.url}/out` })).content).toBe(
      `${page.url}/out redirects to another host. Call Fetch with http://example.invalid/x if you need it.`,
    );
    expect((await t.run(fetch, { url: `${page.url}/loop` })).content).toMatch(/redirects more than 5 times/);
    expect((await t.run(fetch, { url: `${page.url}/file` })).content).toMatch(/not an http or https/);
  });
  it('accepts http and https only, without a password, and names the host that cannot be reached', async () => {
    const t = await testProject();
    for (const url of ['file:///etc/passwd', 'ftp://x/y', 'nonsense', ''])
      expect((await t.run(fetch, { url })).content).toMatch(/^Fetch was not run/);
    expect((await t.run(fetch, { url: 'http://user:pass@127.0.0.1:9/' })).content).toMatch(/user name or password/);
    expect((await t.run(fetch, { url: 'http://127.0.0.1:9/' })).content).toMatch(/127\.0\.0\.1:9 cannot be reached/);
  });
  it('reads a bounded part of an endless answer', async () => {
    const t = await testProject();
    const page = await site((_, answer) => {
      answer.writeHead(200, { 'content-type': 'text/plain' });
      const more = (): void =>
        void (answer.destroyed || (answer.write('x'.repeat(65_536)) ? setImmediate(more) : answer.once('drain', more)));
      more();
    });
    expect((await t.run(fetch, { url: page.url })).content).toMatch(/Only the first 5242880 bytes were read/);
  });
});

it.each(['127.0.0.1', '127.1.2.3', '169.254.169.254', '::1', '[::1]', 'fe80::1', '0.0.0.0', '::ffff:127.0.0.1'])(
  '%s is this machine',
  (address) => {
    expect(isOwnAddress(address)).toBe(true);
  },
);
it.each(['10.0.0.1', '192.0.2.1', '2001:db8::1', 'example.org'])('%s is another', (address) => {
  expect(isOwnAddress(address)).toBe(false);
});
it('localhost may resolve to this machine', async () => {
  const found = await new Promise((resolve) =>
    guardedLookup('localhost', { all: true }, (error, addresses) => resolve(error ?? addresses)),
  );
  expect(JSON.stringify(found)).toMatch(/127\.0\.0\.1|::1/);
});
