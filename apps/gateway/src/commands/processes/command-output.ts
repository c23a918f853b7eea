import { closeSync } from 'node:fs';
import { Socket } from 'node:net';
import { TURNS } from '../../process/turns.ts';

/** Most bytes of a piece: what one output of a command has under way at a time. */
export const PIECE = 16 * 1024;

/** What every output is read into. A piece is used or copied before the next one is read, of any command. */
const SHARED = Buffer.allocUnsafeSlow(PIECE);

/** One of a command's two outputs. While it is paused nothing is read from it, so the command waits. */
export interface CommandOutput {
  readonly isPaused: boolean;
  /** How many were read so far. */
  readonly bytes: number;
  /** Settles once it has ended or was abandoned. */
  readonly closed: Promise<void>;
  /**
   * Starts to read; called once.
   * @param take receives each piece, which is valid only during that call
   * @param over called once when the output ends
   */
  read(take: (piece: Buffer) => void, over: () => void): void;
  pause(): void;
  resume(): void;
  /** Gives up what was not read. */
  destroy(): void;
}

/** An output that comes through a pipe. @param exit descriptor of the pipe; this object closes it */
export function pipeOutput(exit: number, turns = TURNS): CommandOutput {
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  let socket: Socket | null = null;
  let paused = false;
  /** A piece waits for its turn; nothing is read meanwhile, so neither is the end. */
  let waiting = false;
  let destroyed = false;
  let read = 0;
  const wait = (take: (piece: Buffer) => void, piece: Buffer) => {
    waiting = true;
    socket?.pause();
    turns.later(() => {
      waiting = false;
      if (destroyed) return;
      take(piece);
      if (!paused) socket?.resume();
    });
  };
  return {
    closed,
    get isPaused() {
      return paused || waiting;
    },
    get bytes() {
      return read;
    },
    read(take, over) {
      const callback = (bytes: number) => {
        read += bytes;
        const piece = SHARED.subarray(0, bytes);
        if (!turns.now(() => take(piece))) wait(take, Buffer.from(piece));
        return !paused && !waiting;
      };
      socket = new Socket({ fd: exit, readable: true, writable: false, onread: { buffer: SHARED, callback } });
      socket.once('end', over);
      socket.on('error', () => {}); // `close` follows
      socket.once('close', () => resolve());
    },
    pause() {
      paused = true;
      socket?.pause();
    },
    resume() {
      paused = false;
      if (!waiting) socket?.resume();
    },
    destroy() {
      destroyed = true;
      if (socket !== null) socket.destroy();
      else closeSync(exit);
      resolve();
    },
  };
}
