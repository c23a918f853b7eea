import type { IncomingMessage } from 'node:http';

/** The caller hung up before its body had arrived: nobody is left to answer. */
export class CallerLeft extends Error {}

/** Reads a body to its end, or stops at the first byte past the bound. Rejects with `CallerLeft` when the caller leaves. */
export function readBody(request: IncomingMessage, most: number): Promise<Buffer | 'too-large'> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const take = (chunk: Buffer): void => {
      length += chunk.length;
      if (length <= most) {
        chunks.push(chunk);
        return;
      }
      request.off('data', take);
      request.pause();
      resolve('too-large');
    };
    request.on('data', take);
    request.once('end', () => resolve(Buffer.concat(chunks)));
    request.once('error', () => reject(new CallerLeft()));
    request.once('close', () => reject(new CallerLeft()));
  });
}
