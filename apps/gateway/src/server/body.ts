import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Refusal, refusal } from '@gateway/contract';
import type { Head } from './head.ts';

const TEXT = new TextDecoder('utf-8', { fatal: true });

/**
 * The whole body of a request that this service itself understands, or why it is refused; null where the caller left
 * before it was whole. Asks for the body where the caller waits for that, so nothing is sent before it is wanted.
 * @param most bytes
 */
export async function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  head: Head,
  most: number,
): Promise<Buffer | Refusal | null> {
  const tooLarge = refusal('body-too-large', { details: { bytes: String(most) } });
  if (head.contentLength !== null && head.contentLength > most) return tooLarge;
  if (head.expectsContinue) response.writeContinue();
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > most) return tooLarge;
      chunks.push(chunk);
    }
  } catch {
    return null;
  }
  return request.complete ? Buffer.concat(chunks) : null;
}

/** The JSON value a body holds, or undefined where it is not JSON in UTF-8. */
export function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(TEXT.decode(body)) as unknown;
  } catch {
    return undefined;
  }
}
