import { createServer, type Server, type Socket } from 'node:net';

/** A worker that takes connections. */
export interface Taker {
  /** @param number to pass to `taken` once the worker has it */
  hand(number: number, socket: Socket): void;
}

/**
 * Accepts connections and passes each to a worker that has accepted its previous one, round robin. It keeps its own descriptor
 * until the worker has the connection: if the worker dies in between, it is closed, and its caller does not wait in vain.
 */
export class Acceptor {
  readonly server: Server;
  readonly #handed = new Map<Taker, Map<number, Socket>>();
  readonly #waiting: Socket[] = [];
  #number = 0;

  constructor() {
    // As the HTTP server would set them: they belong to the connection, not to the process.
    this.server = createServer({ pauseOnConnect: true, noDelay: true }, (socket) => {
      socket.on('error', () => socket.destroy());
      this.#waiting.push(socket);
      this.#distribute();
    });
  }

  add(taker: Taker): void {
    this.#handed.set(taker, new Map());
    this.#distribute();
  }

  /** The worker accepts no more. */
  remove(taker: Taker): void {
    for (const socket of this.#handed.get(taker)?.values() ?? []) socket.destroy();
    this.#handed.delete(taker);
  }

  taken(taker: Taker, number: number): void {
    const handed = this.#handed.get(taker);
    handed?.get(number)?.destroy(); // this descriptor of it; the worker has its own
    handed?.delete(number);
  }

  /** Connections that no worker accepted are closed. */
  close(): void {
    this.server.close();
    for (const socket of this.#waiting.splice(0)) socket.destroy();
  }

  #distribute(): void {
    while (this.#waiting.length > 0) {
      const [least] = [...this.#handed].sort(([, one], [, other]) => one.size - other.size);
      if (least === undefined) return; // until a worker is back
      const [taker, handed] = least;
      const socket = this.#waiting.shift() as Socket;
      if (socket.destroyed) continue;
      this.#number += 1;
      handed.set(this.#number, socket);
      // At the end of the queue: the next connection goes to another worker with as few connections.
      this.#handed.delete(taker);
      this.#handed.set(taker, handed);
      taker.hand(this.#number, socket);
    }
  }
}
