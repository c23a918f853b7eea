import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { raw } from '../testing/caller.ts';
import { eventually } from '../testing/eventually.ts';
import { startWorld, type World } from '../testing/world.ts';

describe('requests on the wire', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.stop());

  const HEAD = 'Host: gateway\r\n';
  const key = (): string => `Authorization: Bearer ${world.key}\r\n`;

  it.each([
    ['both lengths', 'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['duplicate lengths', 'Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}x'],
    ['equal duplicate lengths', 'Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}'],
    ['a signed length', 'Content-Length: +3\r\n\r\nabc'],
    ['a length with a comma', 'Content-Length: 2, 2\r\n\r\n{}'],
    ['a folded header', 'X-Fold: a\r\n b\r\nContent-Length: 0\r\n\r\n'],
    ['a bare carriage return', 'X-Bare: a\rb\r\nContent-Length: 0\r\n\r\n'],
    ['a bare line feed', 'X-Bare: a\nX-More: b\r\nContent-Length: 0\r\n\r\n'],
    ['a NUL', 'X-Nul: a\0b\r\nContent-Length: 0\r\n\r\n'],
    ['a space before the colon', 'X-Space : a\r\nContent-Length: 0\r\n\r\n'],
    ['a chunked coding that is not last', 'Transfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n'],
    ['an unknown transfer coding', 'Transfer-Encoding: x\r\n\r\n'],
    ['a transfer coding besides chunked', 'Transfer-Encoding: gzip, chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n'],
    ['transfer codings on two lines', 'Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['a second host', 'Host: other\r\nContent-Length: 0\r\n\r\n'],
    ['a second session', 'X-Gateway-Session: a\r\nx-gateway-session: b\r\nContent-Length: 0\r\n\r\n'],
    ['a second authorization', 'Authorization: Bearer other\r\nContent-Length: 0\r\n\r\n'],
    ['the same authorization again', 'authorization: Bearer\r\nContent-Length: 0\r\n\r\n'],
    ['a second content type', 'Content-Type: audio/wav\r\ncontent-type: text/plain\r\nContent-Length: 0\r\n\r\n'],
    ['a second content coding', 'Content-Encoding: gzip\r\ncontent-encoding: gzip\r\nContent-Length: 0\r\n\r\n'],
    ['a second x-api-key', 'X-Api-Key: a\r\nx-api-key: a\r\nContent-Length: 0\r\n\r\n'],
    // refusals-19
  ])('%s is a 400, and nothing leaves', async (_, rest) => {
    const before = world.engine.received.length;
    const answer = await raw(world.port, `POST /chat/x HTTP/1.1\r\n${HEAD}${key()}${rest}`, /\r\n\r\n.*}$/s);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer, 'no other request follows on this connection').toMatch(/\r\nconnection: close\r\n/i);
    expect(world.engine.received).toHaveLength(before);
  });

  it.each(['', ' HTTP/0.9', ' HTTP/2.0', ' HTTP/1.2', ' HTTP/3.0', ' http/1.1'])(
    'a request line that ends in "%s" is a 400, and nothing leaves',
    async (version) => {
      const before = world.engine.received.length;
      const answer = await raw(world.port, `GET /chat/x${version}\r\n${HEAD}${key()}\r\n`);
      expect(answer).toMatch(/^HTTP\/1\.1 400 .*\r\nconnection: close\r\n.*\{"error":"Malformed request: [^"]*"\}$/is);
      expect(world.engine.received).toHaveLength(before);
    },
  );

  const one = (target: string, more = ''): string =>
    `POST ${target} HTTP/1.1\r\n${HEAD}${key()}Content-Length: 2\r\nConnection: close\r\n${more}\r\n{}`;

  it.each([
    ['an absolute target', 'http://evil.example/chat/x'],
    ['the absolute form of this gateway', 'http://gateway/chat/x'],
    ['an asterisk', '*'],
    ['a fragment', '/chat/x#y'],
    ['a tab', '/\t/chat'],
    ['a word', 'chat/x'],
  ])('%s in the target is a 400, and nothing leaves', async (_, target) => {
    const before = world.engine.received.length;
    expect(await raw(world.port, one(target))).toMatch(/^HTTP\/1\.1 400 /);
    expect(world.engine.received).toHaveLength(before);
  });

  it('OPTIONS * is refused', async () => {
    expect(await raw(world.port, `OPTIONS * HTTP/1.1\r\n${HEAD}${key()}Connection: close\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 400 /,
    );
  });

  it.each([
    ['CONNECT', 'CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n'],
    ['an upgrade', 'GET /chat/x HTTP/1.1\r\nHost: g\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n'],
    ['an upgrade to several', 'GET /chat/x HTTP/1.1\r\nHost: g\r\nConnection: Upgrade\r\nUpgrade: h2c, websocket\r\n'],
    ['TRACE', 'TRACE /chat/x HTTP/1.1\r\nHost: g\r\nConnection: close\r\n'],
    // relay-6
  ])('%s is a 501, with or without credentials', async (_, text) => {
    const before = world.engine.received.length;
    for (const proof of ['', key()]) {
      const answer = await raw(world.port, `${text}${proof}\r\n`);
      expect(answer).toMatch(
        /^HTTP\/1\.1 501 Not Implemented\r\n.*\{"error":"Upgrade, CONNECT and TRACE are not served here\."\}$/s,
      );
    }
    expect(world.engine.received).toHaveLength(before);
  });

  // limits-8
  it('more than 1,000 headers are a 431, at any position of the credential', async () => {
    const many = Array.from({ length: 1001 }, (_, index) => `a${index}: b\r\n`).join('');
    for (const text of [many + key(), key() + many]) {
      const answer = await raw(world.port, `GET /chat/x HTTP/1.1\r\n${HEAD}${text}Connection: close\r\n\r\n`);
      expect(answer).toMatch(/^HTTP\/1\.1 431 /);
    }
  });

  it('headers of more than 64 kB are a 431', async () => {
    const answer = await raw(
      world.port,
      `GET /chat/x HTTP/1.1\r\n${HEAD}${key()}X-Long: ${'x'.repeat(70_000)}\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 431 /);
  });

  it('990 headers pass, the credential last', async () => {
    const many = Array.from({ length: 990 }, (_, index) => `a${index}: b\r\n`).join('');
    const answer = await raw(world.port, `GET /chat/x HTTP/1.1\r\n${HEAD}${many}${key()}Connection: close\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('a chunked body is accepted with any case of the coding', async () => {
    const text = `POST /chat/x HTTP/1.1\r\n${HEAD}${key()}Connection: close\r\nTransfer-Encoding: CHUNKED\r\n\r\n`;
    expect(await raw(world.port, `${text}2\r\n{}\r\n0\r\n\r\n`)).toMatch(/^HTTP\/1\.1 200 /);
    expect(world.engine.received.at(-1)!.body.toString()).toBe('{"model":"served-model"}');
  });

  it('a request without a host is a 400 that names the cause', async () => {
    const answer = await raw(world.port, `GET /chat/x HTTP/1.1\r\n${key()}Connection: close\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 400 .*\{"error":"Malformed request: host is missing\."\}$/s);
    expect(await raw(world.port, `GET /chat/x HTTP/1.0\r\n${key()}\r\n`), 'HTTP/1.0 knows none').toMatch(
      /^HTTP\/1\.1 200 /,
    );
  });

  it.each(['a b', 'user@evil', '[::1', 'a:port', 'a:80:80', 'a/b', 'a?b', 'http://a', 'a\\b', '%zz', '\xe9'])(
    'the host %j is none, and a 400',
    async (host) => {
      const before = world.engine.received.length;
      const answer = await raw(
        world.port,
        `GET /chat/x HTTP/1.1\r\nHost: ${host}\r\n${key()}Connection: close\r\n\r\n`,
      );
      expect(answer).toMatch(
        /^HTTP\/1\.1 400 .*\{"error":"Malformed request: host is not a host name or an address\."\}$/s,
      );
      expect(world.engine.received).toHaveLength(before);
    },
  );

  it.each([
    '',
    'a',
    'a.example:6001',
    'a_b',
    '127.0.0.1:80',
    '[::1]:80',
    '[fe80::1%25eth0]',
    'a:',
    '%41',
    "a!$&'()*+,;=~-.",
  ])('the host %j is one', async (host) => {
    const answer = await raw(world.port, `GET /chat/x HTTP/1.1\r\nHost: ${host}\r\n${key()}Connection: close\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('names of every object’s members do no harm as headers or keys', async () => {
    const text = '{"__proto__":{"model":"x"},"constructor":{"prototype":1},"toString":1}';
    await raw(
      world.port,
      `POST /chat/x HTTP/1.1\r\n${HEAD}${key()}__proto__: a\r\nconstructor: b\r\nConnection: close\r\n` +
        `Content-Length: ${text.length}\r\n\r\n${text}`,
    );
    const got = world.engine.received.at(-1)!;
    expect(got.body.toString()).toBe(`${text.slice(0, -1)},"model":"served-model"}`);
    expect(got.rawHeaders).toEqual(expect.arrayContaining(['__proto__', 'a', 'constructor', 'b']));
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  it('the source of a request is known, even if its caller resets the connection immediately', async () => {
    const socket = connect(world.port, '127.0.0.1');
    socket.write(`GET / HTTP/1.1\r\n${HEAD}\r\n`); // not recorded: nothing reads its source
    await once(socket, 'data');
    socket.write(`GET /chat/x HTTP/1.1\r\n${HEAD}X-Request-Id: reset\r\n\r\n`, () => socket.resetAndDestroy());
    const [entry] = await eventually(async () => {
      const entries = await world.entries('reset');
      expect(entries).toHaveLength(1);
      return entries;
    });
    expect(entry?.['source_address']).toBe('127.0.0.1');
  });

  it('X-Forwarded-For counts from a declared proxy alone', async () => {
    const trusting = await startWorld({ environment: { GATEWAY_TRUSTED_PROXIES: '127.0.0.1,10.0.0.0/8' } });
    const source = async (port: number, id: string, forwarded: string, from: World): Promise<unknown> => {
      await raw(
        port,
        `GET /chat/x HTTP/1.1\r\n${HEAD}X-Request-Id: ${id}\r\nX-Forwarded-For: ${forwarded}\r\nConnection: close\r\n\r\n`,
      );
      await eventually(async () => expect(await from.entries(id)).toHaveLength(1));
      return (await from.entries(id))[0]!['source_address'];
    };
    expect(await source(world.port, 'a', '1.2.3.4', world)).toBe('127.0.0.1');
    expect(await source(trusting.port, 'a', '1.2.3.4', trusting)).toBe('1.2.3.4');
    expect(await source(trusting.port, 'b', '6.6.6.6, 1.2.3.4, 10.1.1.1', trusting)).toBe('1.2.3.4');
    expect(await source(trusting.port, 'c', 'nonsense', trusting)).toBe('127.0.0.1');
    await trusting.stop();
  });
});
