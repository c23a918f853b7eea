import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createSocketServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { openWorld, type World } from '../testing/world.ts';
import { connectTo, forgetToken, keepToken } from './client.ts';

const TOKEN = { GATEWAY_SERVE_TOKEN: 'token-of-the-tests' };

let world: World;
beforeEach(() => {
  world = openWorld();
});
afterEach(() => world.close());

const connect = (url: string, variables: Readonly<Record<string, string>> = TOKEN) =>
  connectTo(world.context({ variables }).environment, url);

/** A server that answers as the test says, on a free port. */
async function answering(handle: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer(handle);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('the address of a served session', () => {
  it.each([
    '',
    'nonsense',
    '127.0.0.1:8000',
    'https://localhost:8000',
    'http://10.0.0.1:8000',
    'http://localhost.evil.example',
    'file:///etc/passwd',
  ])('is refused where it is not on this machine, before anything is sent: %j', async (url) => {
    await expect(connect(url)).rejects.toThrow(
      `--url must be the http address of an instance on this machine, not ${JSON.stringify(url)}.`,
    );
  });

  it.each([
    ['http://localhost:8000', 'http://localhost:8000'],
    ['http://127.0.0.1:8000/', 'http://127.0.0.1:8000'],
    ['http://[::1]:8000/state?x=1', 'http://[::1]:8000'],
    ['http://127.1:8000', 'http://127.0.0.1:8000'],
    ['http://LOCALHOST', 'http://localhost:80'],
  ])('%s is that of the instance at %s', async (url, origin) => {
    expect((await connect(url)).url).toBe(origin);
  });
});

describe('the token', () => {
  it('is the one of the file for the port, unless the variable says another', async () => {
    const seen: unknown[] = [];
    const url = await answering((request, response) => {
      seen.push(request.headers.authorization);
      response.end('{}');
    });
    const port = Number(new URL(url).port);
    const file = await keepToken(world.home, { url, port, session: 's', token: 'of-the-file' });
    await (await connect(url, {})).ask('GET', '/state');
    await (await connect(url)).ask('GET', '/state');
    expect(seen).toEqual(['Bearer of-the-file', 'Bearer token-of-the-tests']);
    await forgetToken(file);
    await forgetToken(file);
    await expect(connect(url, {})).rejects.toThrow(
      `No token is known for ${url}. Start gw serve --port ${port}, or set GATEWAY_SERVE_TOKEN.`,
    );
  });

  it.each(['', 'torn {"tok', 'null', '[]', '{"token":1}', '{}'])(
    'is not known where its file holds %j',
    async (text) => {
      world.write('home/casey/.gateway/serve/8000.json', text);
      await expect(connect('http://localhost:8000', {})).rejects.toThrow(
        'No token is known for http://localhost:8000.',
      );
    },
  );

  it('is not known where there is no home directory', async () => {
    const { environment } = world.context({ environment: { homeDirectory: null } });
    await expect(connectTo(environment, 'http://localhost:8000')).rejects.toThrow('No token is known');
  });
});

describe('a question to a served session', () => {
  it('has the body as JSON, and gives the answer', async () => {
    const url = await answering((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { method, url: path, headers } = request;
        response.end(
          JSON.stringify({ method, path, type: headers['content-type'], body: String(Buffer.concat(chunks)) }),
        );
      });
    });
    const client = await connect(url);
    const message = 'Grüße 🔑\n';
    expect(await client.ask('POST', '/message', { message })).toEqual({
      method: 'POST',
      path: '/message',
      type: 'application/json',
      body: JSON.stringify({ message }),
    });
    expect(await client.ask('GET', '/state')).toEqual({ method: 'GET', path: '/state', body: '' });
  });

  it.each(['<html>', '[]', 'null', '"text"', ''])('is refused by what is no gw serve: %j', async (body) => {
    const url = await answering((_, response) => void response.end(body));
    await expect((await connect(url)).ask('GET', '/state')).rejects.toThrow(
      `${url} is not an instance of gw serve: its answer is not JSON.`,
    );
  });

  it('that is refused gives the status and the words of the server', async () => {
    const url = await answering((_, response) => void response.writeHead(401).end('{"error":"Send the token."}'));
    await expect((await connect(url)).ask('GET', '/state')).rejects.toThrow(`${url} answered 401: Send the token.`);
  });

  it('to a port where nothing listens, or where a connection breaks, says how to start one', async () => {
    const closed = createSocketServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(closed.address() as AddressInfo).port}`;
    const client = await connect(url);
    await expect(client.ask('GET', '/state')).rejects.toThrow(/does not answer: .*Is gw serve running there\?$/);
    await new Promise((resolve) => closed.close(resolve));
    await expect(client.ask('GET', '/state')).rejects.toThrow(
      /does not answer: .*ECONNREFUSED.*Is gw serve running there\?$/,
    );
  });
});

describe('the events of a served session', () => {
  /** A stream of events that the test writes. */
  async function streaming() {
    const opened = Promise.withResolvers<ServerResponse>();
    const url = await answering((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(': ready\n\n');
      opened.resolve(response);
    });
    const [events, controller]: [unknown[], AbortController] = [[], new AbortController()];
    const ready = Promise.withResolvers<void>();
    const client = await connect(url);
    const ended = client
      .events((event) => events.push(event), ready.resolve, controller.signal)
      .then(() => null, String);
    await ready.promise;
    return { url, events, ended, leave: () => controller.abort(), response: await opened.promise };
  }

  it('are given one by one, however they are cut, without what is none', async () => {
    const { events, ended, response } = await streaming();
    const text =
      'event: text\ndata: {"type":"text","text":"Grüße 🔑"}\n\ndata: torn\n\ndata: [1]\n\n: heartbeat\n\ndata: {"type":"x"}\n\n';
    for (const byte of Buffer.from(text)) response.write(Buffer.from([byte]));
    response.end();
    expect(await ended).toBeNull();
    expect(events).toEqual([{ type: 'text', text: 'Grüße 🔑' }, { type: 'x' }]);
  });

  it('that break off are a fault that names the address', async () => {
    const { url, ended, response } = await streaming();
    response.destroy();
    expect(await ended).toBe(`CommandFailed: The connection to ${url} was lost. Is gw serve still running there?`);
  });

  it('are left by the person who leaves', async () => {
    const { ended, leave } = await streaming();
    leave();
    expect(await ended).toMatch(/abort/i);
  });

  it('that are refused are a fault, and nothing is ready', async () => {
    const url = await answering((_, response) => void response.writeHead(403).end('{}'));
    let readies = 0;
    const events = (await connect(url)).events(
      () => undefined,
      () => void (readies += 1),
      new AbortController().signal,
    );
    await expect(events).rejects.toThrow(`${url} answered 403 to GET /events.`);
    expect(readies).toBe(0);
  });
});
