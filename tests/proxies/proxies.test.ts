import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { request } from 'node:https';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestConsole, type TestConsole } from '../../apps/console/src/testing/console.ts';
import { COMPLETION } from '../../apps/gateway/src/testing/engine.ts';
import { eventually } from '../../apps/gateway/src/testing/eventually.ts';
import { startWorld, type World } from '../../apps/gateway/src/testing/world.ts';
import { type Authority, createAuthority } from '../../packages/access/src/development-authority.ts';
import { PROXIES, type Proxy } from './proxies.ts';

/** Where the caller sits: another address than the proxy's, which is 127.0.0.1. */
const CALLER = '127.0.0.2';
const HELLO = JSON.stringify({ model: 'any', messages: [{ role: 'user', content: 'Hello' }] });

let authority: Authority;
let world: World;
let console_: TestConsole;

beforeAll(async () => {
  authority = createAuthority('authority of the proxies');
  [world, console_] = await Promise.all([
    startWorld({ environment: { GATEWAY_TRUSTED_PROXIES: '127.0.0.1' } }),
    startTestConsole(),
  ]);
});
afterAll(async () => {
  await Promise.all([world?.stop(), console_?.stop()]);
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function listens(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect').finally(() => socket.destroy());
}

interface Running {
  readonly port: number;
  stop(): Promise<void>;
}

async function start(proxy: Proxy): Promise<Running> {
  const folder = mkdtempSync(join(tmpdir(), `proxy-${proxy.name}-`));
  const [certificate, key, both] = ['cert.pem', 'key.pem', 'both.pem'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const pair = authority.certify(['gateway.example', 'console.example']);
  writeFileSync(certificate, pair.certificate);
  writeFileSync(key, pair.key);
  writeFileSync(both, `${pair.certificate}\n${pair.key}`);
  const port = await freePort();
  const place = { folder, port, gateway: world.port, console: Number(new URL(console_.base).port) };
  const [program, ...words] = proxy.start({ ...place, certificate, key, both });
  const child: ChildProcess = spawn(program, words, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH: process.env['PATH'], HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
  });
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const ended = once(child, 'exit');
  const isOver = (): boolean => child.exitCode !== null || child.signalCode !== null;
  await eventually(async () => {
    if (!isOver()) await listens(port);
  });
  if (isOver()) throw new Error(`${proxy.name} ended: ${said}`);
  return {
    port,
    async stop() {
      child.kill('SIGTERM');
      const force = setTimeout(() => child.kill('SIGKILL'), 5000);
      await ended;
      clearTimeout(force);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Asks through the proxy, as a caller of another address. */
async function send(
  port: number,
  host: string,
  path: string,
  headers: Record<string, string>,
  body: string | Buffer,
): Promise<IncomingMessage> {
  const outgoing = request({
    host: '127.0.0.1',
    port,
    path,
    method: 'POST',
    agent: false,
    localAddress: CALLER,
    servername: host,
    ca: authority.certificate,
    headers: { host: `${host}:${port}`, 'content-type': 'application/json', ...headers },
  });
  outgoing.end(body);
  const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
  return answer;
}

async function textOf(answer: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of answer.setEncoding('utf8')) text += part;
  return text;
}

const isThere = ({ name }: Proxy): boolean => spawnSync('sh', ['-c', `command -v ${name}`]).status === 0;

describe.each(PROXIES)('$name, as the manual configures it', (proxy) => {
  const there = isThere(proxy);
  let running: Running;
  const key = (): Record<string, string> => ({ authorization: `Bearer ${world.key}` });
  const call = (headers: Record<string, string> = {}, body: string | Buffer = HELLO): Promise<IncomingMessage> =>
    send(running.port, 'gateway.example', '/chat/v1/chat/completions', { ...key(), ...headers }, body);

  beforeAll(async () => {
    if (there) running = await start(proxy);
  });
  afterAll(() => running?.stop());

  it.skipIf(!there)('passes a stream on piece by piece, and a disconnect to the engine', async () => {
    let engine: ServerResponse | undefined;
    world.engine.on('/chat/completions', (_, response) => {
      engine = response;
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: {"choices":[{"delta":{"content":"first"}}]}\n\n');
    });
    const next = world.engine.next('/chat/completions');
    const answer = await call();
    answer.setEncoding('utf8');
    expect(String((await once(answer, 'data'))[0])).toContain('first');
    engine?.write('data: {"choices":[{"delta":{"content":"second"}}]}\n\n');
    expect(String((await once(answer, 'data'))[0])).toContain('second');
    answer.destroy();
    await (await next).closed;
  });

  it.skipIf(!there)('passes a prompt of three megabytes on', async () => {
    let length = 0;
    world.engine.on('/chat/completions', (received, response) => {
      length = received.body.length;
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(COMPLETION));
    });
    const words = 'a prompt of many words '.repeat(140_000);
    const body = JSON.stringify({ model: 'any', messages: [{ role: 'user', content: words }] });
    const answer = await call({}, body);
    expect(JSON.parse(await textOf(answer))).toMatchObject({ object: 'chat.completion' });
    expect(length).toBeGreaterThan(words.length);
  });

  it.skipIf(!there)('passes on the caller’s address, not one that the caller invents', async () => {
    world.engine.on('/chat/completions', (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(COMPLETION));
    });
    const id = `address-${proxy.name}`;
    const answer = await call({ 'x-forwarded-for': '192.0.2.9', 'x-request-id': id });
    await textOf(answer);
    const [entry] = await world.entries(id);
    expect(entry).toMatchObject({ outcome: 'granted', source_address: CALLER });
  });

  it.skipIf(!there)('lets the console distinguish its own pages from others', async () => {
    const origin = `https://console.example:${running.port}`;
    const change = async (from: string): Promise<number> => {
      const body = JSON.stringify({ slug: `plan-${proxy.name}`, name: 'A plan', monthlyCap: null });
      const headers = { authorization: `Basic ${btoa('operator:a pass:word')}`, origin: from };
      const answer = await send(running.port, 'console.example', '/api/plans', headers, body);
      await textOf(answer);
      return answer.statusCode ?? 0;
    };
    expect(await change('https://elsewhere.example')).toBe(403);
    expect(await change(origin)).toBe(201);
  });
});
