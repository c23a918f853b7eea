import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { raw } from '../testing/caller.ts';
import { startWorld, type World } from '../testing/world.ts';

describe('bodies on the wire', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.stop());

  const HEAD = 'Host: gateway\r\n';
  const key = (): string => `Authorization: Bearer ${world.key}\r\n`;

  describe('Expect: 100-continue', () => {
    const expecting = (proof: string): string =>
      `POST /chat/continued HTTP/1.1\r\n${HEAD}${proof}Content-Length: 16\r\nExpect: 100-continue\r\n\r\n`;

    it('is answered once the caller is authorized, and the body continues', async () => {
      const answer = await conversation(
        world.port,
        expecting(key()),
        /100 Continue\r\n\r\n/,
        '{"model":"mine"}',
        /"usage"/,
      );
      expect(answer).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK/);
      const got = world.engine.received.at(-1)!;
      expect(got.body.toString()).toBe('{"model":"served-model"}');
      expect(got.headers.expect).toBeUndefined();
    });
    it('is not answered for an unknown caller', async () => {
      const answer = await raw(world.port, expecting(''));
      expect(answer).toMatch(/^HTTP\/1\.1 401 /);
      expect(answer).not.toContain('100 Continue');
    });
    it('of another kind is a 417', async () => {
      const answer = await raw(
        world.port,
        `POST /chat/x HTTP/1.1\r\n${HEAD}${key()}Content-Length: 2\r\nConnection: close\r\nExpect: wonders\r\n\r\n{}`,
      );
      expect(answer).toMatch(
        /^HTTP\/1\.1 417 .*\{"error":"The gateway supports only the expectation 100-continue\."\}$/s,
      );
    });
    it('is ignored in HTTP/1.0: the body is sent without it', async () => {
      const answer = await raw(
        world.port,
        `POST /chat/x HTTP/1.0\r\n${key()}Content-Length: 2\r\nExpect: 100-continue\r\n\r\n{}`,
      );
      expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    });
  });

  it('a bad chunk in a body ends the call, and nothing leaves', async () => {
    const before = world.engine.received.length;
    const text = `POST /chat/x HTTP/1.1\r\n${HEAD}${key()}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\nzz\r\n`;
    expect(await raw(world.port, text)).toMatch(/^HTTP\/1\.1 400 /);
    expect(world.engine.received).toHaveLength(before);
  });

  it('a refusal reaches a caller that is still sending its body', async () => {
    const body = 'x'.repeat(2_000_000);
    const answer = await raw(
      world.port,
      `POST /chat/x HTTP/1.1\r\n${HEAD}Content-Length: ${body.length}\r\n\r\n${body}GET / HTTP/1.1\r\n${HEAD}Connection: close\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 401 .*HTTP\/1\.1 404 /s);
  });

  it('a refusal reaches a caller that is still sending its body and wants the connection closed', async () => {
    const socket = connect({ port: world.port, host: '127.0.0.1', allowHalfOpen: true });
    const faults: Error[] = [];
    socket.on('error', (error) => faults.push(error));
    const half = 'x'.repeat(1_000_000);
    socket.write(
      `POST /chat/x HTTP/1.1\r\n${HEAD}Content-Length: ${2 * half.length}\r\nConnection: close\r\n\r\n${half}`,
    );
    let answer = '';
    socket.setEncoding('latin1').on('data', (text: string) => {
      answer += text;
    });
    await once(socket, 'end');
    expect(answer).toMatch(/^HTTP\/1\.1 401 .*\}$/s);
    const closed = once(socket, 'close');
    socket.end(half);
    await closed;
    expect(faults).toEqual([]);
  });

  it('a body that never ends is cut off after a refusal', async () => {
    const socket = connect(world.port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write(`POST /chat/x HTTP/1.1\r\n${HEAD}Content-Length: 1000000000\r\n\r\n`);
    const chunk = Buffer.alloc(1024 * 1024);
    let sent = 0;
    const pour = (fault?: Error | null): void => {
      if (fault || !socket.writable) return;
      sent += chunk.length;
      socket.write(chunk, pour);
    };
    pour();
    await new Promise((resolve) => socket.once('close', resolve));
    expect(sent).toBeLessThan(200 * 1024 * 1024);
  });

  describe('a slow caller', () => {
    let impatient: World;
    beforeAll(async () => {
      // Long enough for other callers, on a busy machine.
      impatient = await startWorld({ environment: { GATEWAY_REQUEST_TIMEOUT_SECONDS: '3' } });
    });
    afterAll(() => impatient.stop());

    it.each([
      [
        'its headers',
        'POST /chat/x HTTP/1.1\r\nHost: g\r\nX-Slow: ',
        /^HTTP\/1\.1 408 .*The request did not arrive in time\./s,
      ],
      ['its body', `POST /chat/x HTTP/1.1\r\nHost: g\r\nContent-Length: 100\r\nKEY\r\n\r\n{`, /^HTTP\/1\.1 (408|504) /],
      [
        'a body in chunks',
        `POST /chat/x HTTP/1.1\r\nHost: g\r\nTransfer-Encoding: chunked\r\nKEY\r\n\r\n1\r\n{\r\n`,
        /^HTTP\/1\.1 (408|504) /,
      ],
      // limits-6
    ])('with %s is cut, nothing leaves, and others are served meanwhile', async (_, text, answer) => {
      const before = impatient.engine.received.length;
      const slow = Array.from({ length: 50 }, () =>
        raw(impatient.port, text.replace('KEY\r\n', `Authorization: Bearer ${impatient.key}\r\n`)),
      );
      const served = await raw(
        impatient.port,
        `GET /chat/x HTTP/1.1\r\nHost: g\r\nX-Api-Key: ${impatient.key}\r\nConnection: close\r\n\r\n`,
      );
      expect(served).toMatch(/^HTTP\/1\.1 200 /);
      for (const cut of await Promise.all(slow)) {
        expect(cut).toMatch(answer);
        expect(cut.match(/HTTP\/1\.1 /g), 'one answer to one request').toHaveLength(1);
      }
      expect(impatient.engine.received).toHaveLength(before + 1);
    });
    it('with nothing at all is let go', async () => {
      const socket = connect(impatient.port, '127.0.0.1');
      const closed = new Promise((resolve) => socket.resume().once('close', resolve));
      await expect(closed).resolves.toBe(false);
    });
  });

  it('a body that becomes invalid after its answer was sent gets no second one', async () => {
    const first = `POST /chat/x HTTP/1.1\r\n${HEAD}Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n`;
    const got = await conversation(world.port, first, /Missing credentials.*}$/s, 'no chunk\r\n', /HTTP.*HTTP/s);
    expect(got).toMatch(/^HTTP\/1\.1 401 /);
    expect(got.match(/HTTP\/1\.1 /g)).toHaveLength(1);
  });
});

/** Sends a text, waits for a pattern, sends another, and reads until the last pattern. */
function conversation(port: number, first: string, awaited: RegExp, then: string, last: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(first));
    let got = '';
    let answered = false;
    socket.on('error', reject);
    socket.on('close', () => resolve(got));
    socket.setEncoding('latin1').on('data', (text: string) => {
      got += text;
      if (!answered && awaited.test(got)) {
        answered = true;
        socket.write(then);
      } else if (last.test(got)) socket.destroy();
    });
  });
}
