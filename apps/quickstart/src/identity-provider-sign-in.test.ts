import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { rootCertificates } from 'node:tls';
import { afterEach, expect, it } from 'vitest';
import { StartFault } from './environment.ts';
import { signIn } from './on-premise.ts';

const PERSON = { user: 'demo', password: 'a&b' };
const [AUTHORITY = ''] = rootCertificates;
const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

/** A service that answers with what it is given; the address of the other one is known when it is asked. */
async function service(
  answer: (request: IncomingMessage, response: ServerResponse, body: string) => void,
): Promise<string> {
  const server = createServer((request, response) => {
    text(request).then(
      (body) => answer(request, response, body),
      () => response.destroy(),
    );
  }).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return `http://localhost:${(server.address() as AddressInfo).port}`;
}

/** A console and an identity provider that sign in the person; what each was sent as a cookie. */
async function bothServices() {
  const cookies: string[] = [];
  let provider = '';
  const console = await service(({ url, headers }, response) => {
    if (url === '/auth/login') {
      response
        .writeHead(302, { location: `${provider}/authorize`, 'set-cookie': ['login=1; Path=/; HttpOnly', 'old=1'] })
        .end();
    } else if (url === '/auth/callback') {
      cookies.push(`console ${headers.cookie}`);
      response.writeHead(303, { location: '/', 'set-cookie': ['session=abc; Path=/', 'login=; Max-Age=0'] }).end();
    } else response.end('the console');
  });
  provider = await service(({ url, method, headers }, response, body) => {
    if (url === '/authorize') response.writeHead(303, { location: '/sign-in/1', 'set-cookie': 'interaction=x' }).end();
    else if (method === 'GET') response.end('<form>');
    else {
      cookies.push(`provider ${headers.cookie}`);
      const isRight = body === 'user=demo&password=a%26b';
      response.writeHead(isRight ? 303 : 401, isRight ? { location: `${console}/auth/callback` } : {}).end();
    }
  });
  return { console, provider, cookies };
}

it('a sign-in follows the redirects, and gives the cookie of the console’s session', async () => {
  const { console } = await bothServices();
  expect(await signIn(console, PERSON, AUTHORITY)).toBe('old=1; session=abc');
});

it('each service gets its own cookies', async () => {
  const { console, cookies } = await bothServices();
  await signIn(console, PERSON, AUTHORITY);
  expect(cookies).toEqual(['provider interaction=x', 'console login=1; old=1']);
});

it('a wrong password is reported with where it ended', async () => {
  const { console, provider } = await bothServices();
  const refused = signIn(console, { ...PERSON, password: 'wrong' }, AUTHORITY);
  await expect(refused).rejects.toThrow(StartFault);
  await expect(refused).rejects.toThrow(`The sign-in to the console ended at ${provider}/sign-in/1 with 401.`);
});

it('a circle of redirects ends', async () => {
  const console = await service((_, response) => {
    response.writeHead(302, { location: '/auth/login' }).end();
  });
  await expect(signIn(console, PERSON, AUTHORITY)).rejects.toThrow(`The sign-in at ${console} redirects in a loop.`);
});
