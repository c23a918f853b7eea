import { connect, type Socket } from 'node:net';
import type { Writable } from 'node:stream';
import type { CommandRunner } from '../../commands/runner.ts';
import { readJsonLines, writeJsonLine } from '../json-lines.ts';
import { type CommandOrder, type CommandReply, type CommandRequest, messageOf } from './messages.ts';

/** The last event of a command. A main process that is killed closes its connections as it does after this event. */
const LAST_EVENT = /\n\{"evenement":"fin",[^\n]*\}\n$/;
const MOST_LAST = 512;

/**
 * Agent commands in a worker: the main process runs them for all workers, so that limits, session directories and sandbox users
 * apply to the whole gateway. A command ends with its connection, even that of a killed worker.
 * @param path of the socket of the main process
 */
export function createRemoteCommands(path: string): CommandRunner {
  /** Connections of commands whose start is written down, by identifier. */
  const started = new Map<string, Socket>();
  const running = new Set<Promise<void>>();

  /** Sends a request and waits for its line. The connection stays open where a command belongs to it. */
  async function ask(request: CommandRequest): Promise<{ readonly socket: Socket; readonly reply: CommandReply }> {
    const socket = connect(path).on('error', () => {}); // `close` follows
    return new Promise((resolve, reject) => {
      const ended = (): void => reject(new Error('the process that runs agent commands gave no answer'));
      socket.once('close', ended);
      const stop = readJsonLines(socket, (value) => {
        stop();
        socket.off('close', ended);
        const reply = value as CommandReply;
        if (!('failed' in reply)) return resolve({ socket, reply });
        socket.destroy();
        reject(new Error(reply.failed));
      });
      writeJsonLine(socket, request);
    });
  }

  function order(identifier: string, what: CommandOrder): Socket | null {
    const socket = started.get(identifier);
    if (socket === undefined) return null;
    writeJsonLine(socket, what);
    return socket;
  }

  async function run(identifier: string, caller: Writable): Promise<void> {
    const socket = order(identifier, { order: 'run' });
    if (socket === null) return;
    const left = (): void => void socket.destroy();
    caller.once('close', left);
    if (caller.destroyed) left();
    let last = '';
    socket.on('data', (bytes: Buffer) => {
      last = (last + bytes.toString('latin1', Math.max(0, bytes.length - MOST_LAST))).slice(-MOST_LAST);
    });
    socket.pipe(caller, { end: false });
    if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve));
    started.delete(identifier);
    caller.off('close', left);
    if (LAST_EVENT.test(last)) caller.end();
    else caller.destroy(); // cut off, never a clean end
  }

  return {
    async takeSlot(subject) {
      const { socket, reply } = await ask({ ask: 'slot', subject });
      if (!('refused' in reply)) return { release: () => socket.destroy() };
      socket.destroy();
      return { refused: reply.refused };
    },
    async recordStart(granted) {
      const { socket } = await ask({ ask: 'start', granted: messageOf(granted) });
      started.set(granted.identifier, socket);
    },
    async recordDescent(owned, parentSession) {
      (await ask({ ask: 'descent', owned, parentSession })).socket.destroy();
    },
    recordNeverRan({ identifier }, cause) {
      order(identifier, { order: 'never', cause })?.end();
      started.delete(identifier);
    },
    run({ identifier }, caller) {
      const over = run(identifier, caller).finally(() => running.delete(over));
      running.add(over);
      return over;
    },
    async interrupt(identifier, subject) {
      const { socket, reply } = await ask({ ask: 'interrupt', identifier, subject });
      socket.destroy();
      return 'found' in reply && reply.found;
    },
    async close() {
      for (const identifier of started.keys()) order(identifier, { order: 'shutdown' });
      await Promise.allSettled(running);
    },
  };
}
