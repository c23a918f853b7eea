import type { Socket } from 'node:net';
import { StringDecoder } from 'node:string_decoder';

/** Characters of one line: a decision with all detections of its request is far smaller. */
const LONGEST = 2 ** 24;

/**
 * Calls `take` with the value of each line of JSON that arrives. A peer that writes anything else is cut off: both ends are this program.
 * @returns a function that leaves further data to another reader
 */
export function readJsonLines(socket: Socket, take: (value: unknown) => void): () => void {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  const read = (chunk: Buffer): void => {
    const lines = (rest + decoder.write(chunk)).split('\n');
    rest = lines.pop() ?? '';
    try {
      for (const line of lines) take(JSON.parse(line));
      if (rest.length > LONGEST) throw new Error('the line is too long');
    } catch {
      socket.destroy();
    }
  };
  socket.on('data', read);
  return () => {
    socket.off('data', read).pause();
  };
}

export function writeJsonLine(socket: Socket, value: unknown): void {
  if (socket.writable) socket.write(`${JSON.stringify(value)}\n`);
}
