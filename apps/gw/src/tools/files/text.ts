/** The exact text of a file. */
export interface TextFile {
  readonly bytes: Uint8Array;
  /** Without the byte-order mark. */
  readonly text: string;
  readonly byteOrderMark: boolean;
}
