import type { Reply, WireConnection } from './connection.ts';
import type { WireLink } from './link.ts';
import type { Parameter } from './request-buffer.ts';

/** A connection that may be used. @param waits for more than one attempt to open it. @throws DatabaseUnavailable */
export function connection(link: WireLink, deadline: number, waits = true): Promise<WireConnection> {
  return new Promise((resolve, reject) => {
    link.connected(deadline, (error, one) => (one === null ? reject(error) : resolve(one)), waits);
  });
}

/** Runs one prepared statement. @throws ServerError where the server refused it. @throws DatabaseUnavailable otherwise. */
export function execute(
  on: WireConnection,
  text: string,
  parameters: readonly Parameter[],
  deadline: number,
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    on.execute(text, parameters, deadline, (error, [reply]) => (reply === undefined ? reject(error) : resolve(reply)));
  });
}

/** Runs several statements without parameters. @returns the reply of the last. */
export function query(on: WireConnection, text: string, deadline: number): Promise<Reply> {
  return new Promise((resolve, reject) => {
    on.query(text, deadline, (error, replies) => {
      const last = replies.at(-1);
      if (last === undefined) reject(error);
      else resolve(last);
    });
  });
}
