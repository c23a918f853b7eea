import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { consoleClient } from './console-client.ts';
import { StartFault } from './environment.ts';

interface Asked {
  readonly line: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

let server: Server;
let address: string;
let asked: Asked[];
/** Status and body of the next answers, in order. */
let answers: [status: number, body: string, location?: string][];

beforeEach(async () => {
  asked = [];
  answers = [];
  server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      asked.push({ line: `${request.method} ${request.url}`, headers: request.headers, body });
      const [status, text, location] = answers.shift() ?? [500, 'no answer'];
      response.writeHead(status, location === undefined ? {} : { location }).end(text);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  server.close();
  server.closeAllConnections();
});

const ROW = z.object({ id: z.string() });
const client = () => consoleClient(address, { authorization: 'Basic abc' });

describe('the console as a person uses it', () => {
  it('gets each request with the credentials and its own origin, as a page of it would send', async () => {
    answers = [[200, '{"id":"1"}']];
    await client().send('POST', '/api/plans', { slug: 'é' }, ROW);
    expect(asked).toMatchObject([
      {
        line: 'POST /api/plans',
        headers: { authorization: 'Basic abc', origin: address, 'content-type': 'application/json' },
        body: '{"slug":"é"}',
      },
    ]);
  });

  it('gives all pages of a list, following the cursor', async () => {
    answers = [
      [200, '{"things":[{"id":"1","more":true},{"id":"2"}],"next":"a b&c"}'],
      [200, '{"things":[],"next":"d"}'],
      [200, '{"things":[{"id":"3"}],"next":null}'],
    ];
    expect(await client().list('/api/things', 'things', ROW)).toEqual([{ id: '1' }, { id: '2' }, { id: '3' }]);
    expect(asked.map(({ line }) => line)).toEqual([
      'GET /api/things',
      'GET /api/things?cursor=a%20b%26c',
      'GET /api/things?cursor=d',
    ]);
  });

  it('gives an empty list', async () => {
    answers = [[200, '{"things":[],"next":null}']];
    expect(await client().list('/api/things', 'things', ROW)).toEqual([]);
  });

  it('that refuses is reported with status, request and sentence', async () => {
    answers = [[409, '{"error":"There is another plan with this slug."}']];
    const refused = client().send('PATCH', '/api/plans/1', {}, ROW);
    await expect(refused).rejects.toThrow(StartFault);
    await expect(refused).rejects.toThrow(
      'The console answered 409 to PATCH /api/plans/1: {"error":"There is another plan with this slug."}',
    );
  });

  it('that redirects to a sign-in is reported, and the credentials go nowhere else', async () => {
    answers = [[302, '', 'http://127.0.0.1:1/elsewhere']];
    await expect(client().list('/api/things', 'things', ROW)).rejects.toThrow(/answered 302 to GET \/api\/things/);
    expect(asked).toHaveLength(1);
  });

  it.each(['[]', '{"things":[]}', '{"things":[{"id":7}],"next":null}', 'text'])(
    'that answers %j is not read as a list',
    async (body) => {
      answers = [[200, body]];
      await expect(client().list('/api/things', 'things', ROW)).rejects.toThrow(/Invalid|Unexpected token/);
    },
  );
});
