import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { raw } from '../testing/caller.ts';
import { startWorld, type World } from '../testing/world.ts';

describe('requests on the wire', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.stop());

  const HEAD = 'Host: gateway\r\n';
  const key = (): string => `Authorization: Bearer ${world.key}\r\n`;

  it.each([
    ['both lengths', 'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['duplicate lengths', 'Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}x'],
    ['equal duplicate lengths', 'Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}'],
    ['a signed length', 'Content-Length: +3\r\n\r\nabc'],
    ['a length with a comma', 'Content-Length: 2, 2\r\n\r\n{}'],
    ['a folded header', 'X-Fold: a\r\n b\r\nContent-Length: 0\r\n\r\n'],
    ['a bare carriage return', 'X-Bare: a\rb\r\nContent-Length: 0\r\n\r\n'],
    ['a bare line feed', 'X-Bare: a\nX-More: b\r\nContent-Length: 0\r\n\r\n'],
    ['a NUL', 'X-Nul: a\0b\r\nContent-Length: 0\r\n\r\n'],
    ['a space before the colon', 'X-Space : a\r\nContent-Length: 0\r\n\r\n'],
    ['a chunked coding that is not last', 'Transfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n'],
    ['an unknown transfer coding', 'Transfer-Encoding: x\r\n\r\n'],
    ['a second host', 'Host: other\r\nContent-Length: 0\r\n\r\n'],
    ['a second session', 'X-Gateway-Session: a\r\nx-gateway-session: b\r\nContent-Length: 0\r\n\r\n'],
    ['a second x-api-key', 'X-Api-Key: a\r\nx-api-key: a\r\nContent-Length: 0\r\n\r\n'],
  ])('%s is a 400, and nothing leaves', async (_, rest) => {
    const before = world.engine.received.length;
    const answer = await raw(world.port, `POST /chat/x HTTP/1.1\r\n${HEAD}${key()}${rest}`, /\r\n\r\n.*}$/s);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(world.engine.received).toHaveLength(before);
  });
});
