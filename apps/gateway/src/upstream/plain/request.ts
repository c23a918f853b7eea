import type { Socket } from 'node:net';
import type { UpstreamRequest } from '../request/client.ts';

/** Bytes up to which a body is copied behind its head: two writes cost more. */
const MOST_COPIED = 16 * 1024;

/** Methods whose requests have a length also where their body is empty. */
const WITH_LENGTH = new Set(['POST', 'PUT', 'PATCH', 'QUERY', 'PROPFIND', 'PROPPATCH']);

const METHOD = /^[!#$%&'*+.^_`|~\w-]+$/;
const NOT_OF_A_TARGET = /[^\x21-\xff]/;
const NOT_OF_A_VALUE = /[^\t\x20-\x7e\x80-\xff]/;

/** A request whose body is whole. */
export interface PlainRequest extends UpstreamRequest {
  readonly body: Buffer | null;
}

/** Writes a request. @throws TypeError where it would be read as another one. */
export function writeRequest(socket: Socket, { method, path, headers, body }: PlainRequest, host: string): void {
  if (!METHOD.test(method)) throw new TypeError('invalid method');
  if (NOT_OF_A_TARGET.test(path)) throw new TypeError('invalid request path');
  let head = `${method} ${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: keep-alive\r\n`;
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at] as string;
    const value = headers[at + 1] as string;
    if (NOT_OF_A_VALUE.test(value) || !METHOD.test(name)) throw new TypeError(`invalid ${name.slice(0, 100)} header`);
    head += `${name}: ${value}\r\n`;
  }
  const length = body?.length ?? 0;
  if (length > 0 || WITH_LENGTH.has(method)) head += `content-length: ${length}\r\n`;
  head += '\r\n';
  if (body === null) socket.write(head, 'latin1');
  else if (length <= MOST_COPIED) {
    // Outside of V8's heap: as a text, head and body would be a third of what a call allocates there.
    const whole = Buffer.allocUnsafe(head.length + length);
    whole.write(head, 'latin1');
    body.copy(whole, head.length);
    socket.write(whole);
  } else {
    socket.cork();
    socket.write(head, 'latin1');
    socket.write(body);
    socket.uncork();
  }
}
