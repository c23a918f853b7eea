import { isUtf8 } from 'node:buffer';

/**
 * The text of a file as the tool that wrote it meant it: UTF-16 where the file begins with its mark, as PowerShell writes what
 * is led into a file; else UTF-8; and where it is neither, the encoding that a browser falls back to. No mark is a part of it.
 */
export function textOf(bytes: Uint8Array): string {
  return new TextDecoder(encodingOf(bytes)).decode(bytes);
}

function encodingOf(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return isUtf8(bytes) ? 'utf-8' : 'windows-1252';
}
