/** A text as it is in a file. */
export interface TextFile {
  readonly bytes: Uint8Array;
  /** Without the byte-order mark. */
  readonly text: string;
  readonly byteOrderMark: boolean;
}
