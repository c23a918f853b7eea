import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { type Listening, listen } from './start.ts';

let listening: Listening;
afterEach(() => listening.close(0));

/** A console that refuses every body: unread, or in the middle. */
async function refusing(read: number): Promise<number> {
  const opened = await listen({ host: '127.0.0.1', port: 0 }, async (request) => {
    let bytes = 0;
    if (read > 0) {
      for await (const chunk of request.body ?? []) {
        bytes += chunk.length;
        if (bytes > read) break;
      }
    }
    return new Response('no', { status: 413 });
  });
  if ('fault' in opened) throw new Error(opened.fault);
  listening = opened;
  return opened.port;
}

function sending(port: number, connection: string): { socket: Socket; faults: Error[]; got: () => string } {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  const faults: Error[] = [];
  let text = '';
  socket.on('error', (error) => faults.push(error));
  socket.setEncoding('latin1').on('data', (more: string) => {
    text += more;
  });
  socket.write(
    `POST / HTTP/1.1\r\nHost: c\r\nConnection: ${connection}\r\nContent-Length: 2000000\r\n\r\n${'x'.repeat(1_000_000)}`,
  );
  return { socket, faults, got: () => text };
}

describe.each([0, 100_000])('an answer before the body has come, after %i bytes of it', (read) => {
  it('reaches a caller that asks to close the connection, and its body is read', async () => {
    const { socket, faults, got } = sending(await refusing(read), 'close');
    socket.end('x'.repeat(1_000_000));
    await once(socket, 'close');
    expect(got()).toMatch(/^HTTP\/1\.1 413 .*no$/s);
    expect(faults).toEqual([]);
  });
  it('does not wait for a body that never comes', async () => {
    const { socket, got } = sending(await refusing(read), 'close');
    await once(socket, 'end');
    expect(got()).toMatch(/no$/);
    socket.destroy();
  });
  it('leaves a persistent connection to the next request', async () => {
    const { socket, got } = sending(await refusing(read), 'keep-alive');
    socket.write(
      `${'x'.repeat(1_000_000)}POST / HTTP/1.1\r\nHost: c\r\nConnection: close\r\nContent-Length: 1\r\n\r\nx`,
    );
    await once(socket, 'end');
    expect(got().match(/HTTP\/1\.1 413/g)).toHaveLength(2);
    socket.destroy();
  });
});
