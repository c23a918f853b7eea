import { readSync } from 'node:fs';
import { readEntry } from './entry.ts';

/** How a file of lines ends. */
export interface Tail {
  /** Its last whole line, without the line feed. Null where there is none. */
  readonly line: string | null;
  /** Bytes up to the end of that line. What follows is a line that was cut off while it was written. */
  readonly whole: number;
  /** Whether a line feed ends the last whole line: a crash may have cut off that alone. */
  readonly terminated: boolean;
}

const LINE_FEED = 10;
const BLOCK_BYTES = 65_536;

/** Reads the end of a file, and not the rest of it. */
export function tailOf(file: number, size: number): Tail {
  const last = lastLineBefore(file, size);
  if (last.end === last.start) return { line: null, whole: 0, terminated: true };
  if (last.end < size) return { line: last.text, whole: size, terminated: true };
  if (readEntry(last.text) !== null) return { line: last.text, whole: size, terminated: false };
  const before = lastLineBefore(file, last.start);
  return { line: before.end === before.start ? null : before.text, whole: last.start, terminated: true };
}

interface Line {
  readonly text: string;
  readonly start: number;
  /** Without the line feed. */
  readonly end: number;
}

function lastLineBefore(file: number, size: number): Line {
  let [bytes, from] = [Buffer.alloc(0), size];
  while (from > 0) {
    const length = Math.min(BLOCK_BYTES, from);
    from -= length;
    bytes = Buffer.concat([block(file, from, length), bytes]);
    const end = bytes.at(-1) === LINE_FEED ? bytes.length - 1 : bytes.length;
    const start = end === 0 ? -1 : bytes.lastIndexOf(LINE_FEED, end - 1);
    if (start >= 0 || from === 0) return lineOf(bytes, start + 1, end, from);
  }
  return { text: '', start: 0, end: 0 };
}

function lineOf(bytes: Buffer, start: number, end: number, offset: number): Line {
  return { text: bytes.toString('utf8', start, end), start: offset + start, end: offset + end };
}

function block(file: number, position: number, length: number): Buffer {
  const buffer = Buffer.alloc(length);
  return buffer.subarray(0, readSync(file, buffer, 0, length, position));
}
