/** A row as the server wrote it: every value is text. */
export type Row = readonly (string | null)[];

/** Kind and length of a message; the length counts itself. */
const HEAD = 5;
const LEAST_LENGTH = 4;
/** Far above any message of ours: a greater length is invalid. */
const MOST_LENGTH = 256 * 1024 * 1024;

/** Splits a byte stream into whole messages. */
export class ReplyReader {
  /** What was read of the next message, put together once it is whole: a large one comes in thousands of pieces. */
  #pieces: Buffer[] = [];
  #held = 0;
  #needed = HEAD;

  /**
   * @param message is called with each whole message: its kind, and where its content begins and ends.
   * @throws where the bytes cannot be messages
   */
  read(chunk: Buffer, message: (kind: number, data: Buffer, from: number, to: number) => void): void {
    this.#pieces.push(chunk);
    this.#held += chunk.length;
    if (this.#held < this.#needed) return;
    const data = this.#pieces.length === 1 ? chunk : Buffer.concat(this.#pieces);
    let at = 0;
    this.#needed = HEAD;
    while (data.length - at >= HEAD) {
      const length = data.readInt32BE(at + 1);
      if (length < LEAST_LENGTH || length > MOST_LENGTH)
        throw new Error('the server sent something that is not a message');
      const end = at + 1 + length;
      if (end > data.length) {
        this.#needed = 1 + length;
        break;
      }
      message(data[at] ?? 0, data, at + HEAD, end);
      at = end;
    }
    this.#pieces = at < data.length ? [data.subarray(at)] : [];
    this.#held = data.length - at;
  }
}

/**
 * The values of a DataRow.
 * @throws where the row does not end where its message does
 */
export function rowOf(data: Buffer, from: number, to: number): Row {
  const count = data.readInt16BE(from);
  const row: (string | null)[] = [];
  let at = from + 2;
  for (let column = 0; column < count; column += 1) {
    const length = data.readInt32BE(at);
    at += 4;
    if (length < 0) {
      row.push(null);
      continue;
    }
    row.push(data.toString('utf8', at, at + length));
    at += length;
  }
  if (at !== to) throw new Error('the server sent a row that does not end where it says');
  return row;
}

/** The fields of an ErrorResponse, by their letters. */
export function fieldsOf(data: Buffer, from: number, to: number): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  for (let at = from; at < to && data[at] !== 0; ) {
    const end = data.indexOf(0, at);
    if (end < 0 || end >= to) break;
    fields.set(String.fromCharCode(data[at] ?? 0), data.toString('utf8', at + 1, end));
    at = end + 1;
  }
  return fields;
}
