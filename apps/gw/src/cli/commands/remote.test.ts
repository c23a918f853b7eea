import { afterEach, beforeEach, expect, it } from 'vitest';
import { fakeGateway } from '../../testing/fake-gateway.ts';
import { openSessionWorld, type SessionWorld } from '../../testing/session-world.ts';

let world: SessionWorld;
beforeEach(async () => {
  world = await openSessionWorld();
});
afterEach(() => world.end());

it('says which session is served, and exits with 0', async () => {
  const { promise, resolve } = Promise.withResolvers<{ url: string; session: string }>();
  const stopped = new AbortController();
  const write = async (text: string): Promise<void> => resolve(JSON.parse(text));
  const serving = world.gw(['serve', '--port', '0'], { terminal: { write }, interrupted: stopped.signal });
  const { url, session } = await promise;
  expect(await world.gw(['remote-test', '--url', url])).toEqual({
    code: 0,
    out: `${url} serves the session ${session}.\n`,
    err: '',
  });
  const wrong = await world.gw(['remote-test', '--url', url], {
    variables: { GATEWAY_SERVE_TOKEN: 'another-token-xxx' },
  });
  expect(wrong).toEqual({
    code: 1,
    out: '',
    err: `gw: ${url} answered 401: Send the token: Authorization: Bearer <token>.\n`,
  });
  stopped.abort();
  expect((await serving).code).toBe(130);
});

it('exits with 1 where no instance is known, and where another program answers', async () => {
  const { code, err } = await world.gw(['remote-test']);
  expect([code, err]).toEqual([
    1,
    'gw: No token is known for http://localhost:8000. Start gw serve --port 8000, or set GATEWAY_SERVE_TOKEN.\n',
  ]);
  const other = await fakeGateway(() => ({ status: 200, body: '<html>' }));
  const variables = { GATEWAY_SERVE_TOKEN: 'token-of-the-tests' };
  expect(await world.gw(['remote-test', '--url', other.url], { variables })).toEqual({
    code: 1,
    out: '',
    err: `gw: ${other.url} is not an instance of gw serve: its answer is not JSON.\n`,
  });
});

it('does not send the token to another machine', async () => {
  const { code, err } = await world.gw(['remote-test', '--url', 'http://gateway.example:8000']);
  expect([code, err]).toEqual([
    2,
    'gw: --url must be the http address of an instance on this machine, not "http://gateway.example:8000".\n',
  ]);
});
