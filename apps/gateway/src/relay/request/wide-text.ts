import { setImmediate as soon } from 'node:timers/promises';
import { type Encoding, encodingOf } from '@gateway/json';
import { TURNS } from '../../process/turns.ts';

type Wide = Exclude<Encoding, 'utf-8'>;

const MOST_CODE_POINT = 0x10_ffff;
const REPLACEMENT = 0xfffd;
/** Bytes decoded between two pauses. */
const SLICE = 64 * 1024;
/** ASCII characters in a row, in UTF-16, that identify text; secrets are longer. */
const RUN = 8;
const ALL: readonly Wide[] = ['utf-16le', 'utf-16be', 'utf-32le', 'utf-32be'];

/** An encoding in which a body may be read, besides as bytes. */
export interface WideReading {
  readonly encoding: Wide;
  /** Whether the whole body is such text, by its beginning or its content type. Otherwise a part of it may be. */
  readonly isDeclared: boolean;
}

/** The encodings of two or four bytes a character in which an engine may read a body. */
export function wideReadingsOf(bytes: Buffer, charset: string | null): readonly WideReading[] {
  const byBytes = encodingOf(bytes.subarray(0, 4));
  const declared = new Set<Encoding>([byBytes, ...charsetEncodings(charset)]);
  const hasRun = bytes.includes(0) && hasWideRun(bytes);
  return ALL.filter((encoding) => hasRun || declared.has(encoding)).map((encoding) => ({
    encoding,
    isDeclared: byBytes === encoding,
  }));
}

/** Encodings for the charset of a content type; without a byte order mark, `utf-16` may be either. */
function charsetEncodings(charset: string | null): readonly Encoding[] {
  if (charset === null) return [];
  const name = charset.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  return ALL.filter((encoding) => encoding.replaceAll('-', '').startsWith(name) && name.startsWith('utf'));
}

/** Whether ASCII characters in a row have one or three zeros between them: UTF-16 or UTF-32 from any offset. */
function hasWideRun(bytes: Buffer): boolean {
  const isText = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x20 && byte < 0x7f;
  const run = (from: number, step: number): boolean => {
    let length = 0;
    for (let at = from; length < RUN && isText(bytes[at]) && bytes[at + 1] === 0; at += step) length++;
    return length === RUN;
  };
  // A run covers more bytes than this, so that one of them is checked.
  for (let at = 0; at < bytes.length; at += RUN) {
    if (bytes[at] !== 0 && bytes[at + 1] !== 0) continue;
    for (let from = Math.max(0, at - 4); from <= at + 4; from++) if (run(from, 2) || run(from, 4)) return true;
  }
  return false;
}

/** A body in UTF-16 or UTF-32 as UTF-8, a byte order mark left out; what is no character becomes U+FFFD. Pauses between slices. */
export function* asUtf8(bytes: Buffer, encoding: Wide): Generator<undefined, Buffer> {
  const decode = encoding.startsWith('utf-16') ? utf16(encoding) : utf32(encoding);
  const parts: Buffer[] = [];
  for (let from = 0; from < bytes.length; from += SLICE) {
    if (from > 0) yield;
    const text = decode(bytes.subarray(from, from + SLICE));
    parts.push(Buffer.from(from === 0 ? text.replace(/^\ufeff/, '') : text));
  }
  return Buffer.concat(parts);
}

function utf16(encoding: string): (part: Buffer) => string {
  const decoder = new TextDecoder(encoding, { ignoreBOM: true });
  return (part) => decoder.decode(part, { stream: true });
}

function utf32(encoding: Wide): (part: Buffer) => string {
  const isLittle = encoding === 'utf-32le';
  return (part) => {
    const codes = Array.from({ length: Math.floor(part.length / 4) }, (_, index) =>
      isLittle ? part.readUInt32LE(4 * index) : part.readUInt32BE(4 * index),
    );
    return codes.map((code) => String.fromCodePoint(code > MOST_CODE_POINT ? REPLACEMENT : code)).join('');
  };
}

/** Runs work that pauses, with other work in its pauses. */
export function inSlices<Result>(work: Iterator<undefined, Result>): Promise<Result> {
  return TURNS.run(work);
}

/** The same without the pauses, for work that is short. */
export function atOnce<Result>(work: Iterator<undefined, Result>): Result {
  for (let step = work.next(); ; step = work.next()) if (step.done === true) return step.value;
}

/** The pieces of something long, with other work between any two of them. */
export async function* withPauses<Piece>(pieces: Iterable<Piece>): AsyncGenerator<Piece, void> {
  for (const piece of pieces) {
    yield piece;
    await soon();
  }
}
