import { brotliDecompress, gunzip, inflate, inflateRaw, zstdDecompress } from 'node:zlib';

/** Chained codings beyond this are an attack, not a client. */
const MOST_CODINGS = 4;
/** Ways to read one body that are followed: `deflate` has two, and codings can be chained. */
const MOST_FORMS = 4;
const CHUNK_BYTES = 64 * 1024;

/** The result of a function of `node:zlib` with the option `info`. */
interface Decoded {
  readonly buffer: Buffer;
  readonly engine: { readonly bytesWritten: number };
}

type Decode = (
  bytes: Buffer,
  options: { maxOutputLength: number; info: true; chunkSize: number },
  done: (error: Error | null, decoded: unknown) => void,
) => void;

const asDecode = (decode: unknown): Decode => decode as Decode;
const GUNZIP = asDecode(gunzip);
const GZIP = [GUNZIP];
const DECODES: ReadonlyMap<string, readonly Decode[]> = new Map([
  ['gzip', GZIP],
  ['x-gzip', GZIP],
  // RFC 9110 means the zlib form; some clients send the bare one, and what reads as both is read as both.
  ['deflate', [asDecode(inflate), asDecode(inflateRaw)]],
  ['br', [asDecode(brotliDecompress)]],
  ['zstd', [asDecode(zstdDecompress)]],
]);

/**
 * The decoded forms of an encoded body. None where a coding is unknown, the bytes are invalid, data follows the compressed
 * stream, or the output exceeds `most` bytes. Zeros after gzip are padding.
 * @param codings in the order in which they were applied.
 */
export async function decodeForms(bytes: Buffer, codings: readonly string[], most: number): Promise<readonly Buffer[]> {
  if (codings.length > MOST_CODINGS) return [];
  let forms: readonly Buffer[] = [bytes];
  for (const coding of codings.toReversed()) {
    const decodes = DECODES.get(coding) ?? [];
    const decoded = await Promise.all(
      forms.flatMap((form) => decodes.map((decode) => decodeWhole(form, decode, most))),
    );
    forms = decoded.filter((form) => form !== null).slice(0, MOST_FORMS);
  }
  return forms;
}

function decodeWhole(bytes: Buffer, decode: Decode, most: number): Promise<Buffer | null> {
  return new Promise((resolve) => {
    decode(bytes, { maxOutputLength: most, info: true, chunkSize: CHUNK_BYTES }, (error, decoded) => {
      if (error !== null) return resolve(null);
      const { buffer, engine } = decoded as Decoded;
      const rest = bytes.subarray(engine.bytesWritten);
      const isWhole = rest.length === 0 || (decode === GUNZIP && rest.equals(Buffer.alloc(rest.length)));
      resolve(isWhole ? buffer : null);
    });
  });
}
