import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createPost } from '../models/http.ts';
import { createGatewayRunner } from './gateway-runner.ts';

const START = { evenement: 'demarre', identifiant: 'c-1', session: 's', a: '2026-01-01T00:00:00.000Z' };
const output = (text: string) => ({
  evenement: 'sortie',
  flux: 'stdout',
  donnees: Buffer.from(text).toString('base64'),
});
const end = (more: object = {}) => ({
  evenement: 'fin',
  code: 0,
  signal: null,
  interrompu: false,
  dureeMs: 1,
  ...more,
});
const REQUEST = { command: 'make', session: 's', directory: '/nowhere', readOnly: false };

/** A gateway on a real socket, and the runner of a client of it. */
async function gateway(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const server = createServer(answer);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => server.close().closeAllConnections());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return createGatewayRunner({ gateway: url, post: createPost(new Map()), proof: async () => 'key' });
}
const line = (event: object): string => `${JSON.stringify(event)}\n`;

describe('a command on the gateway', () => {
  it('shows its output as it comes, and ends as the gateway says', async () => {
    const proceed = Promise.withResolvers<void>();
    const bodies: string[] = [];
    const runner = await gateway((request, response) => {
      request.setEncoding('utf8').on('data', (text: string) => bodies.push(text));
      response.writeHead(200, { 'content-type': 'application/x-ndjson' });
      response.write(line(START) + line(output('first\n')));
      proceed.promise
        .then(() => response.end(line(output('second\n')) + line(end({ code: 7 }))))
        .catch(() => undefined);
    });
    const first = Promise.withResolvers<string>();
    let text = '';
    const running = await runner.start(REQUEST, (chunk) => {
      text += chunk;
      first.resolve(chunk);
    });
    expect(await first.promise).toBe('first\n');
    proceed.resolve();
    expect(await running.ended).toEqual({ code: 7, signal: null });
    expect(text).toBe('first\nsecond\n');
    expect(JSON.parse(bodies.join(''))).toMatchObject({ session: 's', arguments: ['-c', 'make'] });
  });

  it('whose connection breaks fails, and keeps what came before', async () => {
    const runner = await gateway((_, response) => {
      response.writeHead(200, { 'content-type': 'application/x-ndjson' });
      response.write(line(START) + line(output('half')), () => response.destroy());
    });
    let text = '';
    const running = await runner.start(REQUEST, (chunk) => {
      text += chunk;
    });
    expect(await running.ended).toMatchObject({
      code: null,
      fault: expect.stringMatching(/^The connection to the gateway/),
    });
    expect(text).toBe('half');
  });

  it('that is stopped is interrupted by its identifier, and its end awaited', async () => {
    const paths: string[] = [];
    const held: ServerResponse[] = [];
    const runner = await gateway((request, response) => {
      paths.push(`${request.method} ${request.url}`);
      if (request.url?.endsWith('/interrupt') === true) {
        response.end('{}');
        held[0]?.end(line(end({ code: null, signal: 'SIGINT', interrompu: true })));
        return;
      }
      held.push(response);
      response.writeHead(200, { 'content-type': 'application/x-ndjson' });
      response.write(line(START) + line(output('x')));
    });
    const first = Promise.withResolvers<string>();
    const running = await runner.start(REQUEST, first.resolve);
    await first.promise;
    await running.stop();
    expect(await running.ended).toEqual({ code: null, signal: 'SIGINT' });
    expect(paths).toEqual(['POST /_agent-execution/commands', 'POST /_agent-execution/commands/c-1/interrupt']);
  });

  it('that the gateway does not know any more is cut off', async () => {
    const closed = Promise.withResolvers<void>();
    const runner = await gateway((request, response) => {
      if (request.url?.endsWith('/interrupt') === true) {
        response.writeHead(404).end('{}');
        return;
      }
      response.once('close', closed.resolve);
      response.writeHead(200, { 'content-type': 'application/x-ndjson' });
      response.write(line(START) + line(output('x')));
    });
    const first = Promise.withResolvers<string>();
    const running = await runner.start(REQUEST, first.resolve);
    await first.promise;
    await running.stop();
    expect(await running.ended).toEqual({ code: null, signal: 'SIGKILL' });
    await closed.promise;
  });

  it.each([
    [
      402,
      '{"error":{"message":"No credit is left."}}',
      'The gateway did not run the command (402): No credit is left.',
    ],
    [500, '<html>', /^The gateway did not run the command \(500\): http:\/\/127\.0\.0\.1:\d+ answered 500\.$/],
  ])('that is refused with %i says why', async (status, body, message) => {
    const runner = await gateway((_, response) => void response.writeHead(status).end(body));
    await expect(runner.start(REQUEST, () => undefined)).rejects.toThrow(message);
  });
});
