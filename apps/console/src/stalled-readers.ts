import type { Server } from 'node:http';

/**
 * Cuts a caller that takes nothing of its answer for so long, as a download that was paused: a file is read from the database while it is
 * sent, and would keep its connection there from everybody else. An answer that is not there yet is waited for. Node.js looks again
 * only after the time has passed once more where something was still taken at its beginning: twice as long at most.
 */
export function cutStalledReaders(server: Server, milliseconds: number): void {
  server.prependListener('request', (_, response) => {
    response.setTimeout(milliseconds, () => {
      if (response.socket !== null && response.socket.writableLength > 0) response.socket.destroy();
    });
  });
}
