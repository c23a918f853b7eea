import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { errorCode } from '@gateway/contract/error-code';

/** Bytes of a text that is read whole. What people write by hand is far below; anything larger is another thing. */
export const LONGEST_TEXT = 1024 * 1024;

/** Why a text could not be read. */
export type Unread =
  | 'absent'
  | 'directory'
  | 'not a directory'
  | 'not a file'
  | 'no permission'
  | 'link loop'
  | 'too large'
  | 'not UTF-8'
  | 'unreadable';

export type Reading =
  | { readonly state: 'read'; readonly text: string; readonly bytes: number }
  | { readonly state: Unread; readonly bytes: number | null };

/**
 * Reads a UTF-8 text with any line ends, with or without byte order mark. It never blocks (on a pipe, for example), reads at
 * most a mebibyte, and never throws. Synchronous, because small files take microseconds, and another thread ten times as long.
 */
export async function readText(path: string): Promise<Reading> {
  let file: number;
  try {
    // O_NONBLOCK: opening a pipe would otherwise block. Windows has no such flag.
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    return { state: unreadBy(error), bytes: null };
  }
  try {
    const stat = fstatSync(file);
    if (stat.isDirectory()) return { state: 'directory', bytes: null };
    if (!stat.isFile()) return { state: 'not a file', bytes: null };
    if (stat.size > LONGEST_TEXT) return { state: 'too large', bytes: stat.size };
    const read = readUpTo(file, stat.size);
    if (read.length > LONGEST_TEXT) return { state: 'too large', bytes: read.length };
    const text = decode(read);
    return { bytes: read.length, ...(text === null ? { state: 'not UTF-8' } : { state: 'read', text }) };
  } catch (error) {
    return { state: unreadBy(error), bytes: null };
  } finally {
    closeSync(file);
  }
}

/**
 * At most one byte more than the longest text. A file may grow while it is read, and pseudo-files report size 0: if there is
 * more data than the reported size, it is read with the largest buffer.
 */
function readUpTo(file: number, size: number): Buffer {
  let buffer = Buffer.allocUnsafe(size + 1);
  let filled = 0;
  for (;;) {
    const bytesRead = readSync(file, buffer, filled, buffer.length - filled, null);
    filled += bytesRead;
    if (bytesRead === 0 || filled > LONGEST_TEXT) return buffer.subarray(0, filled);
    if (filled === buffer.length) buffer = Buffer.concat([buffer], LONGEST_TEXT + 1);
  }
}

function decode(bytes: Uint8Array): string | null {
  if (bytes.includes(0)) return null; // UTF-16, or no text at all
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** What a fault of the operating system says about a file. */
export function unreadBy(error: unknown): Unread {
  switch (errorCode(error)) {
    case 'ENOENT':
    case 'ENOTDIR':
    case 'ENAMETOOLONG':
      return 'absent';
    case 'EACCES':
    case 'EPERM':
      return 'no permission';
    case 'ELOOP':
      return 'link loop';
    case 'EISDIR':
      return 'directory';
    default:
      return 'unreadable';
  }
}

/** What people do about a text that could not be read. */
export const FIXES: Readonly<Record<Unread, string>> = {
  absent: 'Make the file, or correct its name.',
  directory: 'A folder has the name of the file. Move it away.',
  'not a directory': 'A folder is needed there. Move the file away.',
  'not a file': 'Put a plain file in its place.',
  'no permission': 'Give yourself permission to read it: chmod u+r, or chown if it belongs to another user.',
  'link loop': 'It is a link to itself: replace it with the file.',
  'too large': 'It is larger than 1 MiB, which is too large for such a file. Check its content.',
  'not UTF-8': 'Save it as plain text in UTF-8.',
  unreadable: 'Read it with another program: the file system refuses it.',
};
