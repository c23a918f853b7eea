import { createServer, request } from 'node:http';
import { createServer as createTlsServer, type ServerOptions } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

export interface Proxy {
  readonly port: number;
  /** Targets of CONNECT requests, and absolute targets of forwarded ones. */
  readonly targets: string[];
  /** Values of Proxy-Authorization, one a request. */
  readonly authorizations: (string | undefined)[];
  /** Names of the client certificates that CONNECT requests showed. */
  readonly clients: string[];
  stop(): Promise<void>;
}

/**
 * A small HTTP proxy of an enterprise: tunnels by CONNECT, forwards plain HTTP.
 * @param refuse status of every answer.
 * @param tls where it is reached over TLS.
 */
export async function startProxy(refuse?: number, tls?: ServerOptions): Promise<Proxy> {
  const targets: string[] = [];
  const authorizations: (string | undefined)[] = [];
  const clients: string[] = [];
  const sockets = new Set<Socket>();
  const server = (tls === undefined ? createServer() : createTlsServer(tls)).on('request', (incoming, response) => {
    targets.push(incoming.url ?? '');
    authorizations.push(incoming.headers['proxy-authorization']);
    if (refuse !== undefined) {
      response.writeHead(refuse).end();
      return;
    }
    const { 'proxy-authorization': _, ...headers } = incoming.headers;
    const outgoing = request(incoming.url ?? '', { method: incoming.method ?? 'GET', headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    incoming.pipe(outgoing);
  });
  server.on('connect', (incoming, client: Socket) => {
    targets.push(incoming.url ?? '');
    if (client instanceof TLSSocket) clients.push(String(client.getPeerCertificate().subject?.CN ?? 'none'));
    authorizations.push(incoming.headers['proxy-authorization']);
    if (refuse !== undefined) {
      client.end(`HTTP/1.1 ${refuse} No\r\ncontent-length: 0\r\n\r\n`);
      return;
    }
    const { hostname, port } = new URL(`http://${incoming.url}`);
    const upstream = connect(Number(port), hostname, () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      upstream.pipe(client).pipe(upstream);
    });
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => {
        client.destroy();
        upstream.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    targets,
    authorizations,
    clients,
    stop: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
