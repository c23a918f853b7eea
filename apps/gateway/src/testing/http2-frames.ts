import { once } from 'node:events';
import { connect, type TLSSocket } from 'node:tls';

/** Frames of HTTP/2 written by hand (RFC 9113), for what no well-behaved client would send. */
const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'latin1');

export const FRAME = {
  data: 0,
  headers: 1,
  reset: 3,
  settings: 4,
  ping: 6,
  goaway: 7,
  windowUpdate: 8,
  continuation: 9,
};
export const FLAG = { none: 0, endStream: 1, endHeaders: 4 };

export function frame(type: number, flags: number, stream: number, payload: Buffer = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** A 32-bit number, as RST_STREAM and WINDOW_UPDATE carry it. */
export function number32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** A setting and its value. */
export function setting(identifier: number, value: number): Buffer {
  const bytes = Buffer.alloc(6);
  bytes.writeUInt16BE(identifier);
  bytes.writeUInt32BE(value, 2);
  return bytes;
}

/** An integer of HPACK with a prefix of so many bits (RFC 7541 section 5.1). */
function integer(value: number, bits: number, first: number): Buffer {
  const most = 2 ** bits - 1;
  if (value < most) return Buffer.from([first | value]);
  const bytes = [first | most];
  let rest = value - most;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
  return Buffer.from([...bytes, rest]);
}

/** A field as HPACK writes it without compression; `indexed` adds it to the receiver's table. */
export function field(name: string, value: string, indexed = false): Buffer {
  const [nameBytes, valueBytes] = [Buffer.from(name), Buffer.from(value)];
  return Buffer.concat([
    Buffer.from([indexed ? 0x40 : 0x00]),
    integer(nameBytes.length, 7, 0),
    nameBytes,
    integer(valueBytes.length, 7, 0),
    valueBytes,
  ]);
}

/** The last field added to the receiver's table, in one byte. */
export const LAST_ADDED = Buffer.from([0x80 | 62]);

/** The fields of a request. */
export function requestFields(path: string, key: string, method = 'POST'): Buffer {
  const fields = { ':method': method, ':scheme': 'https', ':path': path, ':authority': 'gateway', 'x-api-key': key };
  return Buffer.concat(Object.entries(fields).map(([name, value]) => field(name, value)));
}

/** A received frame. */
export interface Frame {
  readonly type: number;
  readonly flags: number;
  readonly stream: number;
  readonly payload: Buffer;
}

/** A connection that negotiated HTTP/2 and sends a test's bytes. */
export interface Http2Peer {
  readonly socket: TLSSocket;
  /** Frames so far. */
  readonly frames: Frame[];
  write(...frames: Buffer[]): void;
  readonly closed: Promise<void>;
}

export async function openHttp2(port: number, ca: string, settings: readonly Buffer[] = []): Promise<Http2Peer> {
  const socket = connect({ port, host: '127.0.0.1', ca, ALPNProtocols: ['h2'] });
  await once(socket, 'secureConnect');
  const frames: Frame[] = [];
  let rest = Buffer.alloc(0);
  socket.on('error', () => {});
  socket.on('data', (data: Buffer) => {
    rest = Buffer.concat([rest, data]);
    while (rest.length >= 9) {
      const length = rest.readUIntBE(0, 3);
      if (rest.length < 9 + length) return;
      const payload = Buffer.from(rest.subarray(9, 9 + length));
      frames.push({ type: rest[3] ?? 0, flags: rest[4] ?? 0, stream: rest.readUInt32BE(5), payload });
      rest = Buffer.from(rest.subarray(9 + length));
    }
  });
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.write(Buffer.concat([PREFACE, frame(FRAME.settings, FLAG.none, 0, Buffer.concat(settings))]));
  return {
    socket,
    frames,
    write: (...parts) => {
      if (socket.writable) socket.write(Buffer.concat(parts));
    },
    closed,
  };
}
