import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { testProject } from '../../tools/testing/project.ts';
import { createManagedServer } from '../servers.ts';
import type { ServerConfiguration } from '../transport.ts';

export interface Asked {
  /** The HTTP method, and that of the message. */
  readonly http: string;
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly params: { readonly protocolVersion?: string; readonly arguments?: unknown };
  readonly id: unknown;
}
/** An answer: a result, or whatever the test does with the response. */
export type Reply = { readonly result: unknown } | ((response: ServerResponse, asked: Asked) => void);

export const NAMED = { tools: [{ name: 'act', inputSchema: { type: 'object' } }] };
export const said = (text: string) => ({ content: [{ type: 'text', text }] });
export const message = (asked: Asked, result: unknown): string =>
  JSON.stringify({ jsonrpc: '2.0', id: asked.id, result });

/** A server at an address, of the streamable transport; its answers are each test's own. */
export async function httpServer(
  answer: (asked: Asked) => Reply | undefined = () => undefined,
  more: Partial<ServerConfiguration> = {},
) {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    request.on('end', () => {
      const { method = '', params = {}, id } = JSON.parse(text || '{}') as Partial<Asked>;
      const one: Asked = { http: request.method ?? '', method, headers: request.headers, params, id };
      asked.push(one);
      const reply = answer(one) ?? usual(one);
      if (typeof reply === 'function') reply(response, one);
      else response.writeHead(200, { 'content-type': 'application/json' }).end(message(one, reply.result));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { project, run } = await testProject();
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  const managed = createManagedServer({ name: 's', url, ofProject: false, ...more }, project);
  onTestFinished(async () => {
    await managed.close();
    server.closeAllConnections();
    server.close();
  });
  return {
    url,
    managed,
    asked: (method: string): readonly Asked[] => asked.filter((one) => one.method === method),
    async call(args: unknown = {}, signal = new AbortController().signal) {
      await managed.open();
      const [tool] = managed.tools;
      if (tool === undefined) throw new Error('The server has no tool.');
      return run(tool, args, { signal });
    },
  };
}

function usual({ http, method, params, id }: Asked): Reply {
  if (http !== 'POST') return (response) => response.writeHead(405).end();
  if (id === undefined) return (response) => response.writeHead(202).end();
  if (method === 'tools/list') return { result: NAMED };
  if (method === 'tools/call') return { result: said(JSON.stringify(params.arguments)) };
  const { protocolVersion } = params;
  return { result: { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } } };
}
