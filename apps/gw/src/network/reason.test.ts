import { once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { createAuthority } from '@gateway/access/development-authority';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isBrokenConnection, networkReason, originOf } from './reason.ts';

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
