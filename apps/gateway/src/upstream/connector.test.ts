import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import { connectDirectly } from './connector.ts';

it('reports that no server answers, and nothing else fails', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? String(address.port) : '';
  await new Promise((resolve) => server.close(resolve));
  const options = { hostname: '127.0.0.1', host: `127.0.0.1:${port}`, protocol: 'http:', port };
  const outcome = await new Promise<readonly unknown[]>((resolve) => {
    connectDirectly(null)(options, (...received) => resolve(received));
  });
  expect(outcome[0]).toMatchObject({ code: 'ECONNREFUSED' });
  expect(outcome[1] ?? null).toBeNull();
});
