import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ask as send } from '../../testing/caller.ts';
import { eventually } from '../../testing/eventually.ts';
import { startWorld, type World } from '../../testing/world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld({ environment: { GATEWAY_BODY_MEMORY_MIB: '16' } });
});
afterAll(() => world.stop());

it('a body without free memory is refused with 503, recorded, and reported once', async () => {
  const half = 12 * 2 ** 20;
  const holder = connect(world.port, '127.0.0.1');
  holder.write(
    `POST /chat/held HTTP/1.1\r\nHost: g\r\nX-Api-Key: ${world.key}\r\nContent-Length: ${2 * half}\r\n\r\n{`,
  );
  await new Promise((resolve) => holder.write(Buffer.alloc(half, ' '), resolve));
  const ask = (requestId: string, bytes: number) =>
    send(world.port, '/chat/x', {
      key: world.key,
      headers: { 'x-request-id': requestId },
      body: `{}${' '.repeat(bytes)}`,
    });
  for (const requestId of ['full-1', 'full-2']) {
    const { status, headers } = await ask(requestId, 8 * 2 ** 20);
    expect([status, headers['retry-after']]).toEqual([503, '1']);
    await eventually(async () => {
      expect(await world.entries(requestId)).toMatchObject([{ reason: 'bodies-full', subject: 'caller', status: 503 }]);
    });
  }
  expect((await ask('small', 10)).status).toBe(200);
  const said = world.reports.filter((line) => line.startsWith('GATEWAY_BODY_MEMORY_MIB'));
  expect(said).toEqual([expect.stringContaining('refused with 503')]);
  const closed = once(holder, 'close');
  holder.destroy();
  await closed;
  await eventually(async () => expect((await ask('room', 8 * 2 ** 20)).status).toBe(200));
});
