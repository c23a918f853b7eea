import net from 'node:net';

const HEAD_END = Buffer.from('\r\n\r\n');
const LAST_CHUNK = Buffer.from('0\r\n\r\n');
const CLOSED = 'the connection was closed';

/** The result of one exchange. */
export interface Exchange {
  readonly status: number;
  readonly milliseconds: number;
}

/**
 * One keep-alive HTTP/1.1 connection that repeats the same prepared request. Written on `net`, for a client that costs as
 * much as the proxy it measures would measure itself.
 */
export class Connection {
  #socket: net.Socket;
  #request: Buffer;
  #onPart: ((part: Buffer) => void) | null;
  #finish: ((exchange: Exchange) => void) | null = null;
  #fail: ((error: Error) => void) | null = null;
  #startedAt = 0;
  #status = 0;
  /** Bytes of a body still to come; -1: chunked, -2: the head is not complete. */
  #left = -2;
  #head: Buffer = Buffer.alloc(0);
  #tail: Buffer = Buffer.alloc(0);

  private constructor(socket: net.Socket, request: Buffer, onPart: ((part: Buffer) => void) | null) {
    this.#socket = socket;
    this.#request = request;
    this.#onPart = onPart;
    socket.setNoDelay(true);
    socket.on('data', (data) => this.#take(data));
    socket.on('error', (error) => this.#fail?.(error));
    socket.on('close', () => this.#fail?.(new Error(CLOSED)));
  }

  static open(port: number, request: Buffer, onPart: ((part: Buffer) => void) | null = null): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const socket = net.connect(port, '127.0.0.1');
      socket.once('error', reject);
      socket.once('connect', () => {
        socket.off('error', reject);
        resolve(new Connection(socket, request, onPart));
      });
    });
  }

  exchange(): Promise<Exchange> {
    return new Promise((resolve, reject) => {
      // Nothing tells of a connection that ended between two exchanges.
      if (this.#socket.destroyed) return reject(new Error(CLOSED));
      this.#finish = resolve;
      this.#fail = reject;
      this.#startedAt = performance.now();
      this.#socket.write(this.#request);
    });
  }

  close(): void {
    this.#finish = null;
    this.#fail = null;
    this.#socket.destroy();
  }

  #take(data: Buffer): void {
    let body = data;
    if (this.#left === -2) {
      this.#head = this.#head.length === 0 ? data : Buffer.concat([this.#head, data]);
      const end = this.#head.indexOf(HEAD_END);
      if (end < 0) return;
      const head = this.#head.toString('latin1', 0, end).toLowerCase();
      this.#status = Number(head.slice(9, 12));
      const length = /\r\ncontent-length: *(\d+)/.exec(head)?.[1];
      this.#left = length === undefined ? -1 : Number(length);
      body = this.#head.subarray(end + HEAD_END.length);
      this.#head = Buffer.alloc(0);
    }
    if (body.length > 0) this.#onPart?.(body);
    if (this.#left >= 0) {
      this.#left -= body.length;
      if (this.#left <= 0) this.#done();
      return;
    }
    this.#tail = Buffer.concat([this.#tail, body]).subarray(-LAST_CHUNK.length);
    if (this.#tail.equals(LAST_CHUNK)) this.#done();
  }

  #done(): void {
    this.#left = -2;
    this.#tail = Buffer.alloc(0);
    const finish = this.#finish;
    this.#finish = null;
    this.#fail = null;
    finish?.({ status: this.#status, milliseconds: performance.now() - this.#startedAt });
  }
}
