import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { errorCode } from '@gateway/contract/error-code';
import { type ExportedEntry, ExportFault, readExportedEntry } from '@gateway/ledger';
import { CommandFailed } from '../context/fault.ts';

const LINE_FEED = 0x0a;

/** Longer than any entry: a longer line is no export, and would not fit in memory. */
const LONGEST = 64 * 1024 * 1024;

async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let pieces: Buffer[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      yield Buffer.concat([...pieces, chunk.subarray(start, end)]);
      pieces = [];
      length = 0;
      start = end + 1;
    }
    pieces.push(chunk.subarray(start));
    length += chunk.length - start;
    if (length > LONGEST) throw new ExportFault('is longer than any entry');
  }
  if (length > 0) yield Buffer.concat(pieces);
}

/** A line without what editors and transfers between systems put at its ends: they change no entry. */
function decodedLine(line: Buffer, isFirst: boolean): string {
  if (!isUtf8(line)) throw new ExportFault('is not UTF-8');
  const text = line.toString('utf8').replace(/\r$/, '');
  return isFirst ? text.replace(/^\ufeff/, '') : text;
}

/**
 * The entries of a file that `journal export` wrote, one line in memory at a time.
 * @param onRead called with the number of bytes read.
 * @throws CommandFailed where the file, or a line of it, cannot be read; the message names the line.
 */
export async function* entriesIn(file: string, onRead: (bytes: number) => void): AsyncGenerator<ExportedEntry> {
  const stream = createReadStream(file);
  let number = 1;
  try {
    for await (const line of linesOf(stream)) {
      const entry = readExportedEntry(decodedLine(line, number === 1));
      number += 1;
      yield entry;
      if (number % 1024 === 0) onRead(stream.bytesRead);
    }
  } catch (error) {
    if (error instanceof ExportFault) throw new CommandFailed(`${file}: line ${number} ${error.message}.`);
    throw new CommandFailed(`${file} cannot be read (${errorCode(error)}).`);
  }
}
