import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type ClientHttp2Session, connect, type IncomingHttpHeaders } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAuthority } from '@gateway/access/development-authority';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { profile as onPremise } from '../profile/on-premise.ts';
import { type RawEngine, startRawEngine } from '../testing/raw-engine.ts';
import { startWorld, type World } from '../testing/world.ts';

interface Got {
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The code a broken answer ended with; 0: whole. */
  readonly code: number;
}

describe.each([
  ['hosted', undefined],
  ['restricted', onPremise],
])('over HTTP/2, an answer of HTTP/1.1, %s', (_, profile) => {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-http2-answers-'));
  let world: World;
  let engine: RawEngine;
  let session: ClientHttp2Session;
  let bytes = '';

  beforeAll(async () => {
    const authority = createAuthority('authority of the service');
    const { certificate, key } = authority.certify(['127.0.0.1']);
    const [TLS_CERT_FILE, TLS_KEY_FILE] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
    writeFileSync(TLS_CERT_FILE, certificate);
    writeFileSync(TLS_KEY_FILE, key);
    world = await startWorld({ environment: { TLS_CERT_FILE, TLS_KEY_FILE }, ...(profile ? { profile } : {}) });
    engine = await startRawEngine((socket) => socket.write(bytes, 'latin1'));
    await world.serve('raw', { baseUrl: engine.url });
    session = connect(world.gateway.address, { ca: authority.certificate });
    session.on('error', () => {});
  });
  afterAll(async () => {
    session.destroy();
    await engine.stop();
    await world.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function call(body: string): Promise<Got> {
    const stream = session.request({ ':method': 'POST', ':path': '/raw/x', 'x-api-key': world.key });
    stream.on('error', () => {});
    stream.end(body);
    let headers: IncomingHttpHeaders = {};
    let text = '';
    stream.on('response', (answered) => {
      headers = answered;
    });
    stream.setEncoding('latin1').on('data', (chunk: string) => {
      text += chunk;
    });
    await new Promise((resolve) => stream.once('close', resolve));
    return { headers, text, code: stream.rstCode };
  }

  /** Calls for a plain answer, and for a streamed one. */
  async function calls(head: string): Promise<readonly Got[]> {
    bytes = `${head}Content-Length: 2\r\n\r\nok`;
    return [await call('{}'), await call('{"stream":true}')];
  }

  it('whose single fields are there twice keeps both', async () => {
    const twice = ['Date: a', 'Date: b', 'ETag: "a"', 'ETag: "b"', 'Content-Type: text/a', 'Content-Type: text/b'];
    for (const { headers, text, code } of await calls(`HTTP/1.1 200 OK\r\n${twice.join('\r\n')}\r\n`)) {
      expect([headers[':status'], text, code]).toEqual([200, 'ok', 0]);
      expect([headers.date, headers.etag, headers['content-type']].map(String)).toEqual(
        ['a', '"a"', 'text/a'].map((first) => expect.stringContaining(first) as string),
      );
    }
  });

  it('drops fields of the connection, and the blanks around a value', async () => {
    const head =
      'HTTP/1.1 200 OK\r\nHTTP2-Settings: AAMAAABk\r\nTE: gzip\r\nKeep-Alive: timeout=5\r\nx-blanks: a b \t \r\n';
    for (const { headers, text, code } of await calls(head)) {
      expect([headers[':status'], text, code, headers['x-blanks']]).toEqual([200, 'ok', 0, 'a b']);
      for (const name of ['http2-settings', 'te', 'keep-alive']) expect(headers).not.toHaveProperty(name);
    }
  });

  it.each([600, 999])('of the status %i, which HTTP/2 cannot carry, is a 502', async (status) => {
    for (const { headers, text, code } of await calls(`HTTP/1.1 ${status} Odd\r\n`)) {
      expect([headers[':status'], code]).toEqual([502, 0]);
      expect(JSON.parse(text)).toEqual({
        error: `The provider answered with the status ${status}, which HTTP/2 cannot carry.`,
      });
    }
  });

  it('of the status 205 has no body, and the next is answered', async () => {
    for (const { headers, text, code } of await calls('HTTP/1.1 205 Reset Content\r\n')) {
      expect([headers[':status'], text, code]).toEqual([205, '', 0]);
    }
    for (const { text } of await calls('HTTP/1.1 200 OK\r\n')) expect(text).toBe('ok');
  });
});
