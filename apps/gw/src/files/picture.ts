import { readFile, stat } from 'node:fs/promises';
import { errorCode } from '@gateway/contract/error-code';

/** A larger file is not read. */
const MOST_FILE_BYTES = 64 * 2 ** 20;
/** What engines take: bytes of one picture, which grow by a third on the wire, and pixels of a side. */
const MOST_BYTES = 3.75 * 2 ** 20;
const MOST_SIDE = 2000;

type Kind = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';
/** A picture as a data URL that engines take, or why there is none, as a sentence. */
export type Picture = { readonly url: string; readonly note: string | null } | { readonly fault: string };

/** The first bytes of each kind of picture that engines read. */
const SIGNATURES: readonly (readonly [Kind, RegExp])[] = [
  ['image/png', /^\x89PNG/],
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/gif', /^GIF8/],
  ['image/webp', /^RIFF....WEBP/s],
];

/** The kind of a picture, by its first bytes; null where it is none that engines read. */
export function kindOf(bytes: Uint8Array): Kind | null {
  const head = Buffer.from(bytes.subarray(0, 16)).toString('latin1');
  return SIGNATURES.find(([, signature]) => signature.test(head))?.[0] ?? null;
}

/** The picture of a file, shrunk to what engines take. */
export async function pictureOf(path: string): Promise<Picture> {
  try {
    const { size } = await stat(path);
    if (size > MOST_FILE_BYTES) return { fault: 'The file is larger than 64 MiB.' };
    return await fitPicture(await readFile(path));
  } catch (error) {
    const code = errorCode(error);
    return {
      fault: code === 'ENOENT' ? 'There is no such file.' : `The file cannot be read (${code || String(error)}).`,
    };
  }
}

/** A picture as a data URL, shrunk to what engines take. */
export async function fitPicture(bytes: Buffer): Promise<Picture> {
  const kind = kindOf(bytes);
  if (kind === null) return { fault: 'It is no PNG, JPEG, GIF or WebP picture.' };
  const size = sizeOf(bytes, kind);
  if (bytes.length <= MOST_BYTES && (size === null || Math.max(size.width, size.height) <= MOST_SIDE))
    return { url: `data:${kind};base64,${bytes.toString('base64')}`, note: null };
  if (kind !== 'image/png' && kind !== 'image/jpeg')
    return { fault: 'It is too large, and only PNG and JPEG pictures can be made smaller. Convert it.' };
  const { shrink } = await import('./shrink.ts');
  return shrink(bytes, kind, MOST_BYTES);
}

/** Pixels, as the head of the file says; null where it does not. */
function sizeOf(bytes: Buffer, kind: Kind): { readonly width: number; readonly height: number } | null {
  if (kind === 'image/png')
    return bytes.length < 24 ? null : { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  if (kind === 'image/gif')
    return bytes.length < 10 ? null : { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
  if (kind !== 'image/jpeg') return null;
  for (let at = 2; at + 9 < bytes.length && bytes[at] === 0xff; ) {
    const marker = bytes[at + 1] ?? 0;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return null;
}
