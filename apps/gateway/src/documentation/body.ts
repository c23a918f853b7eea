import type { IncomingMessage } from 'node:http';

/** Reads a body to its end, or stops at the first byte past the bound. Rejects when the caller leaves before the end. */
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
    request.once('error', reject);
    request.once('close', () => reject(new Error('the caller left before the end of the body')));
  });
}
