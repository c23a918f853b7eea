import { isUtf8 } from 'node:buffer';

/**
 * The text of a file as its tool meant it: UTF-16 with that byte order mark, as PowerShell writes redirected output; otherwise
 * UTF-8; otherwise the fallback encoding of browsers. The mark is removed.
 */
export function decodeUtf8(bytes: Uint8Array): string {
  return new TextDecoder(encodingOf(bytes)).decode(bytes);
}

function encodingOf(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return isUtf8(bytes) ? 'utf-8' : 'windows-1252';
}
