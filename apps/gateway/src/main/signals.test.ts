import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import { type Authority, createAuthority } from '@gateway/access/development-authority';
import { createTestDatabase, keyOf, type TestDatabase } from '@gateway/database/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { declareChat } from '../testing/declare-chat.ts';
import { type Engine, startEngine } from '../testing/engine.ts';
import { eventually } from '../testing/eventually.ts';
import { type GatewayProcess, startProcess } from '../testing/process.ts';

const FIRST = 'data: {"choices":[{"delta":{"content":"One"}}]}\n\n';

describe('signals to the program that serves TLS', () => {
  let authority: Authority;
  let folder: string;
  let database: TestDatabase;
  let engine: Engine;
  let gateway: GatewayProcess;
  /** Ends the stream that the engine keeps open. */
  let finish = (): void => {};
  const file = (name: string): string => join(folder, name);
  const renew = (name: string, days?: number): void => {
    const { certificate, key } = authority.certify([name, '127.0.0.1'], days === undefined ? {} : { days });
    writeFileSync(file('cert.pem'), certificate);
    writeFileSync(file('key.pem'), key);
  };

  beforeAll(async () => {
    authority = createAuthority('authority of the service');
    folder = mkdtempSync(join(tmpdir(), 'gateway-signals-'));
    renew('first.example');
    [engine, database] = await Promise.all([startEngine(), createTestDatabase()]);
    await declareChat(database.sql, engine);
    engine.on('/held', (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(FIRST);
      finish = () => response.end('data: [DONE]\n\n');
    });
    gateway = await startProcess({
      DATABASE_URL: database.gatewayUrl,
      GATEWAY_STATE_DIR: file('state'),
      TLS_CERT_FILE: file('cert.pem'),
      TLS_KEY_FILE: file('key.pem'),
      GATEWAY_DRAIN_SECONDS: '60',
    });
  });
  afterAll(async () => {
    gateway.signal('SIGKILL');
    await gateway.ended;
    await engine.stop();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  const open = async (): Promise<TLSSocket> => {
    const socket = connect({ port: gateway.port, host: '127.0.0.1', ca: authority.certificate });
    await once(socket, 'secureConnect');
    return socket;
  };
  const nameShown = async (): Promise<string> => {
    const socket = await open();
    const { subject } = socket.getPeerCertificate();
    socket.destroy();
    return String(subject.CN);
  };
  const post = (path: string): string =>
    `POST ${path} HTTP/1.1\r\nHost: g\r\nAuthorization: Bearer ${keyOf('caller')}\r\nContent-Length: 2\r\n\r\n{}`;
  /** The text of a connection; `shows` waits for a part of it. */
  function readerOf(socket: TLSSocket): { shows(text: string): Promise<void>; text(): string } {
    let got = '';
    socket.setEncoding('utf8').on('data', (part: string) => {
      got += part;
    });
    return {
      text: () => got,
      async shows(text) {
        while (!got.includes(text)) await once(socket, 'data');
      },
    };
  }
  /** The answer to a call on a connection of its own. */
  const over = async (path: string): Promise<string> => {
    const socket = await open();
    const reader = readerOf(socket);
    socket.write(post(path));
    await reader.shows('\r\n\r\n');
    socket.destroy();
    return reader.text();
  };

  it('SIGHUP uses a renewed certificate for new connections; an open one and its stream continue', async () => {
    const [streaming, idle] = [await open(), await open()];
    const reader = readerOf(streaming);
    streaming.write(post('/chat/held'));
    await reader.shows('One');
    renew('second.example');
    expect(await nameShown()).toBe('first.example');
    gateway.signal('SIGHUP');
    await eventually(async () => expect(await nameShown()).toBe('second.example'));
    expect(gateway.said()).toContain('gateway: SIGHUP: TLS_CERT_FILE and TLS_KEY_FILE were reloaded.\n');
    finish();
    await reader.shows('[DONE]');
    streaming.write(post('/chat/after'));
    await reader.shows('"total_tokens":18');
    const answer = readerOf(idle);
    idle.write(post('/chat/x'));
    await answer.shows('HTTP/1.1 200 ');
    streaming.destroy();
    idle.destroy();
  });

  it.each<[string, () => void]>([
    ['a key that is none', () => writeFileSync(file('key.pem'), 'no key')],
    ['the key of another certificate', () => writeFileSync(file('key.pem'), authority.certify(['x']).key)],
    ['no file at all', () => rmSync(file('cert.pem'))],
  ])('SIGHUP with %s keeps the former certificate, logs this, and continues', async (_, spoil) => {
    renew('spoiled.example');
    spoil();
    const before = gateway.said().length;
    gateway.signal('SIGHUP');
    await eventually(async () =>
      expect(gateway.said().slice(before)).toMatch(
        /^gateway: SIGHUP: TLS_CERT_FILE and TLS_KEY_FILE cannot be used, the current certificate stays in use \(\S.*\)\.\n$/,
      ),
    );
    expect(await nameShown()).toBe('second.example');
    expect(await over('/chat/x')).toMatch(/^HTTP\/1\.1 200 /);
    renew('second.example');
  });

  it('SIGHUP with a certificate that has expired uses it, and logs that callers refuse it', async () => {
    renew('expired.example', -1);
    const before = gateway.said().length;
    gateway.signal('SIGHUP');
    await eventually(() => expect(gateway.said().slice(before)).toContain('were reloaded'));
    expect(gateway.said().slice(before)).toMatch(/^gateway: TLS_CERT_FILE: callers refuse the .* expired on \S+Z\.\n/);
    renew('second.example');
    gateway.signal('SIGHUP');
    await eventually(async () => expect(await nameShown()).toBe('second.example'));
  });

  it('SIGTERM lets streams end, refuses new connections and requests, and exits 0', async () => {
    const [streaming, idle] = [await open(), await open()];
    const [reader, answer] = [readerOf(streaming), readerOf(idle)];
    idle.write(post('/chat/x'));
    await answer.shows('"total_tokens":18');
    streaming.write(post('/chat/held'));
    await reader.shows('One');
    // Data on a connection that is being closed may be answered by a reset, which is an end, too.
    const closed = (one: TLSSocket) =>
      new Promise<void>((resolve) => one.on('error', () => {}).once('close', () => resolve()));
    const [idleClosed, streamingClosed] = [closed(idle), closed(streaming)];
    gateway.signal('SIGTERM');
    await idleClosed;
    await expect(open()).rejects.toThrow(/ECONNREFUSED|ECONNRESET/);
    streaming.write(post('/chat/too-late')); // pipelined on a connection whose answer still runs
    finish();
    await streamingClosed;
    expect(reader.text()).toContain('[DONE]');
    // Refused where it was still read, dropped with its connection where not: relayed in neither case.
    expect(reader.text().match(/HTTP\/1\.1 200 /g)).toHaveLength(1);
    expect(engine.received.filter(({ url }) => url.endsWith('/too-late'))).toEqual([]);
    expect(await gateway.ended).toBe(0);
  });
});

describe('SIGHUP to the program that serves plain HTTP', () => {
  it('logs that there is nothing to reload, and continues', async () => {
    const database = await createTestDatabase();
    const folder = mkdtempSync(join(tmpdir(), 'gateway-signals-'));
    const gateway = await startProcess({ DATABASE_URL: database.gatewayUrl, GATEWAY_STATE_DIR: folder });
    gateway.signal('SIGHUP');
    await eventually(() => expect(gateway.said()).toContain('gateway: SIGHUP: '));
    expect(gateway.said()).toContain(
      'SIGHUP: nothing was reloaded: TLS_CERT_FILE and TLS_KEY_FILE are not set. Other settings need a restart.\n',
    );
    expect((await fetch(`http://127.0.0.1:${gateway.port}/chat/x`, { method: 'POST' })).status).toBe(401);
    gateway.signal('SIGTERM');
    expect(await gateway.ended).toBe(0);
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });
});
