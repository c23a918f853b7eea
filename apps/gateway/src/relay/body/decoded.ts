import { createDecoder } from '../answer/decoder.ts';

/**
 * A compressed body as it was before. Null where a coding is unknown, the bytes are not what they say, or more than
 * `most` bytes would come out: what is decoded is bounded, whatever was sent.
 */
export function decodeWithin(bytes: Buffer, codings: readonly string[], most: number): Promise<Buffer | null> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const decoder = createDecoder(codings, {
      data(chunk) {
        length += chunk.length;
        if (length > most) {
          decoder?.destroy();
          chunks.length = 0;
          resolve(null);
        } else chunks.push(chunk);
        return true;
      },
      end: () => resolve(Buffer.concat(chunks)),
      error: () => resolve(null),
      drained: () => {},
    });
    if (decoder === null) return resolve(null);
    decoder.write(bytes);
    decoder.end();
  });
}
