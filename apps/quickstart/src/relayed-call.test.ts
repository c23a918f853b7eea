import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createAuthority } from '@gateway/access/development-authority';
import { expect, it } from 'vitest';
import { relayOneCall } from './relayed-call.ts';

it('a gateway whose certificate is not trusted here ends nothing: the missing answer is explained', async () => {
  const { certificate, key } = createAuthority('of somebody else').certify(['127.0.0.1']);
  const server = createServer({ cert: certificate, key }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const call = await relayOneCall(`https://127.0.0.1:${port}`, 'demo', 'gwk_x', 'postgres://nobody@127.0.0.1:1/none');
  expect(call).toEqual({ status: null, answer: expect.stringMatching(/certificate/), decision: null });
  server.close();
});
