import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, connect, createServer as createTcpServer } from 'node:net';
import { createAuthority } from '@gateway/access/development-authority';
import { describe, expect, it, onTestFinished } from 'vitest';
import { networkReason } from '../process/network.ts';
import { createPost, delayBefore, failureOf, sentenceOf, wholeText } from './http.ts';

const signal = new AbortController().signal;
const direct = createPost(new Map());
const WHOLE = Number.POSITIVE_INFINITY;

/** The address of a server that ends with the test. */
async function serving(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
async function textOf(request: IncomingMessage): Promise<string> {
  return wholeText(request as AsyncIterable<Uint8Array>, WHOLE);
}
const reasonOf = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work;
  } catch (error) {
    return networkReason(error);
  }
  return 'none';
};

describe('a call over HTTP', () => {
  it('sends its body whole, with its length in bytes, and gives the answer as it comes', async () => {
    const responses: ServerResponse[] = [];
    const seen: unknown[] = [];
    const url = await serving((request, response) => {
      const answer = async (): Promise<void> => {
        seen.push([request.method, request.headers['content-length'], request.headers['x-a'], await textOf(request)]);
        responses.push(response);
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write('one');
      };
      answer().catch((error: Error) => response.destroy(error));
    });
    const { status, headers, body } = await direct(url, { 'x-a': 'b' }, '{"text":"漢🔑"}', signal);
    const pieces = body[Symbol.asyncIterator]();
    expect([status, headers['content-type'], String((await pieces.next()).value)]).toEqual([
      200,
      'text/event-stream',
      'one',
    ]);
    responses[0]?.end('two');
    expect([String((await pieces.next()).value), (await pieces.next()).done]).toEqual(['two', true]);
    expect(seen).toEqual([['POST', '18', 'b', '{"text":"漢🔑"}']]);
  });

  it('takes a body of many megabytes', async () => {
    const url = await serving((request, response) => {
      textOf(request).then(
        (text) => response.end(String(text.length)),
        () => response.destroy(),
      );
    });
    const { body } = await direct(url, {}, 'x'.repeat(8 * 2 ** 20), signal);
    expect(await wholeText(body, WHOLE)).toBe(String(8 * 2 ** 20));
  });

  it.each([
    ['before the answer', false],
    ['in the middle of the answer', true],
  ])('that is interrupted %s closes its connection', async (_, begins) => {
    const abort = new AbortController();
    const closed = Promise.withResolvers<void>();
    const url = await serving((request, response) => {
      request.socket.once('close', () => closed.resolve());
      if (begins) response.writeHead(200).write('begun');
      else abort.abort(new Error('interrupted'));
    });
    const work = async (): Promise<void> => {
      const { body } = await direct(url, {}, '{}', abort.signal);
      for await (const piece of body) {
        expect(String(piece)).toBe('begun');
        abort.abort(new Error('interrupted'));
      }
    };
    await expect(work()).rejects.toThrow(/abort/i);
    await closed.promise;
  });

  it('that was interrupted before asks nothing', async () => {
    let asked = 0;
    const url = await serving((_request, response) => {
      asked += 1;
      response.end();
    });
    await expect(direct(url, {}, '{}', AbortSignal.abort())).rejects.toThrow(/abort/i);
    await direct(url, {}, '{}', signal);
    expect(asked).toBe(1);
  });

  it('fails with the reason where the server ends the connection, before and in the answer', async () => {
    const before = await serving((request) => request.socket.destroy());
    expect(await reasonOf(direct(before, {}, '{}', signal))).toBe('the connection was closed.');
    const within = await serving((_request, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('begun', () => response.destroy());
    });
    const { body } = await direct(within, {}, '{}', signal);
    expect(await reasonOf(wholeText(body, WHOLE))).toBe('the connection was closed.');
  });

  it('fails with the reason where something else than HTTP answers', async () => {
    const server = createTcpServer((socket) => socket.end('SSH-2.0-OpenSSH\r\n')).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    expect(await reasonOf(direct(url, {}, '{}', signal))).toMatch(/^Parse Error/);
  });

  it('fails with what to do where the authority of a certificate is not known', async () => {
    const { certificate, key } = createAuthority('a').certify(['127.0.0.1']);
    const server = createSecureServer({ cert: certificate, key }).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    expect(await reasonOf(direct(url, {}, '{}', signal))).toBe(
      'its certificate has an authority that is not known. Set NODE_EXTRA_CA_CERTS to its file.',
    );
  });
});

describe('a call through a proxy', () => {
  /** A proxy that remembers what it was asked for, and forwards it. */
  async function proxy() {
    const seen: string[] = [];
    const server = createServer((request, response) => {
      seen.push(`${request.method} ${request.url}`);
      response.end('by the proxy');
    });
    server.on('connect', (request, socket) => {
      seen.push(`CONNECT ${request.url}`);
      const [host = '', port] = (request.url ?? '').split(':');
      const onward = connect(Number(port), host, () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        onward.pipe(socket).pipe(onward);
      });
      for (const end of [onward, socket]) end.on('error', () => socket.destroy());
    });
    server.listen(0, '127.0.0.1');
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    await once(server, 'listening');
    return { seen, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  }

  it.each(['HTTP_PROXY', 'http_proxy'])('goes to the proxy that %s names', async (name) => {
    const { seen, url } = await proxy();
    const { body } = await createPost(new Map([[name, url]]))('http://engine.test/v1/x', {}, '{}', signal);
    expect([await wholeText(body, WHOLE), seen]).toEqual(['by the proxy', ['POST http://engine.test/v1/x']]);
  });

  it('asks the proxy for a tunnel where the address has TLS', async () => {
    const { seen, url } = await proxy();
    const { certificate, key } = createAuthority('a').certify(['127.0.0.1']);
    const server = createSecureServer({ cert: certificate, key }).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const post = createPost(new Map([['HTTPS_PROXY', url]]));
    expect(await reasonOf(post(`https://127.0.0.1:${port}`, {}, '{}', signal))).toMatch(/authority that is not known/);
    expect(seen).toEqual([`CONNECT 127.0.0.1:${port}`]);
  });

  it('goes past the proxy for what NO_PROXY names, and without variables', async () => {
    const { seen, url } = await proxy();
    const engine = await serving((_request, response) => response.end('direct'));
    for (const variables of [
      new Map([
        ['HTTP_PROXY', url],
        ['NO_PROXY', '127.0.0.1'],
      ]),
      new Map<string, string>(),
    ]) {
      const { body } = await createPost(variables)(engine, {}, '{}', signal);
      expect(await wholeText(body, WHOLE)).toBe('direct');
    }
    expect(seen).toEqual([]);
  });

  it('fails where the proxy is not there', async () => {
    const post = createPost(new Map([['HTTP_PROXY', 'http://127.0.0.1:9']]));
    expect(await reasonOf(post('http://engine.test/', {}, '{}', signal))).toMatch(
      /^the proxy http:\/\/127\.0\.0\.1:9 does not answer/,
    );
  });
});

describe('an error answer', () => {
  async function* pieces(...parts: readonly string[]): AsyncGenerator<Uint8Array> {
    for (const part of parts) yield Buffer.from(part);
  }
  it.each([
    ['{"error":"The model is not allowed."}', 'The model is not allowed.'],
    ['{"error":{"message":"Too long.","code":7}}', 'Too long.'],
    ['{"detail":"Not found."}', 'Not found.'],
    ['{"error":null,"message":"Busy."}', 'Busy.'],
    ['{"error":{"message":" "}}', null],
    ['[]', null],
    ['<html>', null],
    ['', null],
  ])('%s has the sentence %j', async (text, sentence) => {
    expect(await sentenceOf({ status: 500, headers: {}, body: pieces(text) })).toBe(sentence);
  });

  it('without end is read in part, and the rest is left', async () => {
    let sent = 0;
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (;;) {
        sent += 1;
        yield Buffer.alloc(1024, 0x20);
      }
    }
    expect(await sentenceOf({ status: 500, headers: {}, body: endless() })).toBeNull();
    expect(sent).toBe(65);
  });

  it('that breaks off has none', async () => {
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('{"error":');
      throw new Error('cut');
    }
    expect(await sentenceOf({ status: 500, headers: {}, body: broken() })).toBeNull();
  });
});

const failure = (error: unknown) => failureOf({ error }, 'The sentence.', 400);

describe('an error of an engine', () => {
  it.each<[string, object | string, number | null]>([
    [
      'OpenAI',
      {
        message:
          "This model's maximum context length is 8192 tokens. However, your messages resulted in 9001 tokens. Please reduce the length of the messages.",
        type: 'invalid_request_error',
        code: 'context_length_exceeded',
      },
      8192,
    ],
    [
      'vLLM',
      {
        object: 'error',
        message:
          "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens (4000 in the messages, 1000 in the completion).",
        code: 400,
      },
      4096,
    ],
    [
      'a later vLLM',
      "You passed 9001 input tokens and requested 100 output tokens. However, the model's context length is only 8192 tokens.",
      8192,
    ],
    [
      'llama.cpp',
      {
        code: 400,
        message: 'request (9001 tokens) exceeds the available context size (4096 tokens), try increasing it',
        type: 'exceed_context_size_error',
        n_prompt_tokens: 9001,
        n_ctx: 4096,
      },
      4096,
    ],
    [
      'an earlier llama.cpp',
      { code: 400, message: 'the request exceeds the available context size. try increasing the context size' },
      null,
    ],
    [
      'Anthropic',
      { type: 'invalid_request_error', message: 'prompt is too long: 210000 tokens > 200000 maximum' },
      200_000,
    ],
    [
      'Mistral',
      {
        message:
          'Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
      },
      32_768,
    ],
    [
      'Gemini',
      { message: 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).' },
      1_048_576,
    ],
    ['another one, by its code alone', { code: 'context_length_exceeded', message: 'No.' }, null],
  ])('tells that the conversation is too long: %s', (_, error, tokens) => {
    expect(failure(error)).toMatchObject({ name: 'ContextExceeded', message: 'The sentence.', status: 400, tokens });
  });

  it.each<[unknown]>([
    [{ message: 'max_tokens is too large: 100000. This model supports at most 4096 completion tokens.' }],
    [{ message: 'Invalid schema for function Read.', code: 'invalid_function_parameters' }],
    ['Unknown model.'],
    [null],
    [7],
  ])('of another kind is a fault: %j', (error) => {
    expect(failure(error)).toMatchObject({ name: 'ModelFailed', message: 'The sentence.', status: 400 });
  });

  it('counts no tokens where the number is none', () => {
    expect(failure({ code: 'context_length_exceeded', n_ctx: -1 })).toMatchObject({ tokens: null });
    expect(failure({ code: 'context_length_exceeded', n_ctx: '9'.repeat(40) })).toMatchObject({ tokens: null });
  });
});

const NOW = new Date('2026-11-21T09:30:00Z');

describe('the delay before another try', () => {
  it('doubles from half a second', () => {
    expect([0, 1, 2, 3].map((retry) => delayBefore(retry, undefined, NOW))).toEqual([500, 1000, 2000, 4000]);
  });
  it.each([
    ['7', 7000],
    ['0', 0],
    ['1.5', 1500],
    [' 3 ', 3000],
    ['Sat, 21 Nov 2026 09:30:12 GMT', 12_000],
  ])('follows retry-after: %s', (header, delay) => {
    expect(delayBefore(2, header, NOW)).toBe(delay);
  });
  it.each(['', ' ', 'soon', '-5', 'Infinity', 'Sat, 21 Nov 2026 09:29:00 GMT'])(
    'ignores retry-after %j, which names no time to come',
    (header) => {
      expect(delayBefore(1, header, NOW)).toBe(1000);
    },
  );
});
