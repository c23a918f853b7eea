import { existsSync, readdirSync, readlinkSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, request as open } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import type { Documentation } from '@gateway/documentation';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openConfigured } from '../config/service.ts';
import { BodyBudget } from './body.ts';
import { createDocumentationHandler } from './documentation.ts';
import { type Head, readHead } from './head.ts';
import { type Served, serveDocumentation } from './testing/served.ts';

/** More than the gateway caches of an archive, so that this file is sent from the disk. */
const BIG = Buffer.alloc(65 * 1024 * 1024, 'x');

interface Received {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly text: string;
}

function ask(
  port: number,
  path: string,
  options: { method?: string; headers?: Record<string, string>; body?: Buffer } = {},
) {
  return new Promise<Received>((resolve, reject) => {
    const { method = 'GET', headers = {}, body } = options;
    const sent = open({ port, host: '127.0.0.1', method, path, headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => {
        const text = Buffer.concat(chunks).toString('latin1');
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text });
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Sends a target byte for byte and returns all received data. */
function raw(port: number, target: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(`GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
    });
    let text = '';
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => {
      text += chunk;
    });
    socket.on('end', () => resolve(text));
    socket.on('error', reject);
  });
}

let served: Served;
let port: number;

beforeAll(async () => {
  served = await serveDocumentation({
    'index.html': '<h1>Home</h1>',
    'big.bin': BIG.toString('latin1'),
    'llms-full.txt': '# Page (/page)\n\nThe turbine is here.\n\n# Other (/other)\n\nSomething else.',
  });
  port = served.port;
});
afterEach(() => expect(served.reports).toEqual([]));
afterAll(() => served.stop());

describe('over a socket', () => {
  it('serves a page', async () => {
    expect(await ask(port, '/v/1.0.0/index.html')).toMatchObject({
      status: 200,
      text: '<h1>Home</h1>',
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'content-length': '13',
        'x-content-type-options': 'nosniff',
      },
    });
  });
  it('answers HEAD with the headers of GET and no body', async () => {
    for (const path of ['/v/1.0.0/index.html', '/v/1.0.0/big.bin', '/v/1.0.0/nowhere', '/v/_search?q=turbine']) {
      const [head, get] = [await ask(port, path, { method: 'HEAD' }), await ask(port, path)];
      expect(head.text).toBe('');
      expect({ ...head.headers, date: '' }).toEqual({ ...get.headers, date: '' });
      expect(head.status).toBe(get.status);
    }
  });
  it('sends a large file from the disk, whole and in part', async () => {
    const whole = await ask(port, '/v/1.0.0/big.bin');
    expect([whole.status, whole.text.length]).toEqual([200, BIG.length]);
    const part = await ask(port, '/v/1.0.0/big.bin', { headers: { range: 'bytes=-5' } });
    expect([part.status, part.text, part.headers['content-range']]).toEqual([
      206,
      'xxxxx',
      `bytes ${BIG.length - 5}-${BIG.length - 1}/${BIG.length}`,
    ]);
  });
  it('survives a caller who leaves in the middle of a large file', async () => {
    await new Promise<void>((resolve) => {
      const sent = open({ port, host: '127.0.0.1', path: '/v/1.0.0/big.bin' }, (answer) => {
        answer.once('data', () => sent.destroy());
        answer.once('close', resolve);
        answer.on('error', () => {});
      });
      sent.on('error', () => {});
      sent.end();
    });
    expect((await ask(port, '/v')).status).toBe(302);
  });
  it('sends nothing of a large file that is being replaced', async () => {
    const { headers } = await ask(port, '/v/1.0.0/big.bin', { method: 'HEAD' });
    served.write('big.bin', BIG.fill('y'));
    const { status, text, headers: now } = await ask(port, '/v/1.0.0/big.bin');
    // Either the change was detected, or the new archive is already installed: never the old tag with new bytes.
    const replaced = status === 200 && now['etag'] !== headers['etag'];
    expect(replaced || (status === 503 && text.includes('being replaced'))).toBe(true);
  });
  it('survives a caller who leaves before the end of its message', async () => {
    await new Promise<void>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.write('POST /v/_mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{', () =>
          socket.destroy(),
        );
      });
      socket.once('close', () => resolve());
    });
    expect((await ask(port, '/v')).status).toBe(302);
  });
  it('does not request a message that was refused by its length', async () => {
    const said = await new Promise<string>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.write('POST /v/_mcp HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 99999999\r\n\r\n');
      });
      socket.once('data', (bytes: Buffer) => {
        socket.destroy();
        resolve(bytes.toString('latin1'));
      });
    });
    expect(said).toMatch(/^HTTP\/1\.1 413 /);
  });
  // documentation-1
  it('ignores every proof of identity', async () => {
    for (const headers of [{ authorization: 'Bearer nobody' }, { 'x-api-key': 'nobody' }, { authorization: '' }]) {
      expect((await ask(port, '/v/1.0.0/index.html', { headers })).status).toBe(200);
    }
  });
  it('reads the body of a refused method and continues with the connection', async () => {
    const answer = await ask(port, '/v/1.0.0/index.html', { method: 'POST', body: Buffer.alloc(300_000) });
    expect([answer.status, answer.headers['allow']]).toEqual([405, 'GET, HEAD']);
  });
  it.each([
    '/v/../secret.txt',
    '/v/1.0.0/../../secret.txt',
    '/v/%2e%2e/secret.txt',
    '/v/1.0.0/..%2f..%2fsecret.txt',
    '/v/..;/secret.txt',
    '/v/%252e%252e/secret.txt',
    '/v/1.0.0/%00',
    '/v/1.0.0/%ff',
    '/v/1.0.0/a\\..\\b',
  ])('refuses %s as it was sent', async (target) => {
    const answer = await raw(port, target);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('Not a documentation path.');
  });
  it('follows no link out of the archive', async () => {
    writeFileSync(join(served.root, 'secret.txt'), 'outside');
    symlinkSync('../secret.txt', join(served.folder, 'linked.txt'));
    expect((await ask(port, '/v/1.0.0/linked.txt')).status).toBe(404);
  });
  it('leaves other first segments to the relay', async () => {
    for (const path of ['/v1/chat', '/V/', '/%76/', '/vv']) expect((await ask(port, path)).status).toBe(299);
  });
  it('takes a question with a backslash, as a browser sends it', async () => {
    const answer = await raw(port, '/v/_search?q=C:\\turbine');
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(answer).toContain('"query":"C:\\\\turbine"');
  });
  it('answers questions', async () => {
    const { status, text } = await ask(port, '/v/_search?q=turbine');
    expect([status, JSON.parse(text)]).toMatchObject([200, { answered: true, results: [{ page: 'Page' }] }]);
  });
});

it.runIf(existsSync('/proc/self/fd'))('leaves no file open after a caller left before the first byte', async () => {
  const path = join(served.folder, 'index.html');
  const isOpen = (): boolean =>
    readdirSync('/proc/self/fd').some((descriptor) => {
      try {
        return readlinkSync(`/proc/self/fd/${descriptor}`) === path;
      } catch {
        return false; // the one of the list itself
      }
    });
  const { promise: gone, resolve: leave } = Promise.withResolvers<void>();
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  const { dev, ino, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true });
  const part = { path, mark: [dev, ino, size, mtimeNs, ctimeNs].join('.'), start: 0, end: 3 };
  const documentation: Documentation = {
    answer: async () => {
      await gone;
      queueMicrotask(answer);
      return { status: 200, headers: {}, body: part };
    },
    close: () => {},
  };
  const reports: string[] = [];
  const handler = createDocumentationHandler(documentation, new BodyBudget(0, () => {}), (line) => reports.push(line));
  const server = createServer((request, response) => {
    response.once('close', leave);
    handler(request, response, readHead(request) as Head, '');
  });
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1', () => {
    socket.write('GET /v/big.bin HTTP/1.1\r\nHost: localhost\r\n\r\n', () => socket.destroy());
  });
  await answered;
  await expect.poll(isOpen).toBe(false);
  expect(reports).toEqual([]);
});

describe('GATEWAY_DOCS_DIR', () => {
  // documentation-2
  it('absent leaves the segment reserved', async () => {
    const without = await serveDocumentation(null);
    onTestFinished(() => without.stop());
    for (const path of ['/v', '/v/1.0.0/', '/v/_search?q=x', '/v/_mcp']) {
      const { status, text } = await ask(without.port, path);
      expect([status, JSON.parse(text).error]).toEqual([501, expect.stringContaining('GATEWAY_DOCS_DIR')]);
    }
  });
  // refusals-26
  it('that names no archive is one line that begins with the variable', async () => {
    expect(await openConfigured(join(served.root, 'nowhere'), () => {})).toEqual({
      fault: `GATEWAY_DOCS_DIR: ${served.root}/nowhere does not exist.`,
    });
    expect(await openConfigured(served.root, () => {})).toEqual({
      fault: `GATEWAY_DOCS_DIR: ${served.root}/archive.json is missing, and every unpacked documentation archive has one.`,
    });
  });
});
