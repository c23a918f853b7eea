/** A position in a text, both counted from 1; a column counts characters as an editor does (UTF-16 code units). */
export interface Position {
  readonly line: number;
  readonly column: number;
}

export function positionAt(text: string, index: number): Position {
  const before = text.slice(0, index);
  const lineStart = before.lastIndexOf('\n') + 1;
  return { line: before.split('\n').length, column: before.length - lineStart + 1 };
}

/** The engine counts octets of UTF-8; everything else here counts UTF-16 code units. */
export function indexOfOctet(text: string, octet: number): number {
  return Buffer.from(text).subarray(0, octet).toString().length;
}
