import type { Server } from 'node:http';

/**
 * Closes a connection whose reader stalls, such as a paused download: a file is read from the database while it is sent, and
 * would keep a database connection from others. An answer that has not begun is not affected. Because Node.js checks only once
 * per period, it may take up to twice this time.
 */
export function cutStalledReaders(server: Server, milliseconds: number): void {
  server.prependListener('request', (_, response) => {
    response.setTimeout(milliseconds, () => {
      if (response.socket !== null && response.socket.writableLength > 0) response.socket.destroy();
    });
  });
}
