import type { LiteralKind } from './literal.ts';

/**
 * What a tokenizer reads. Offsets count bytes from the first byte that was pushed; `depth` counts the objects and arrays that are open
 * (0: a top-level value; a member or element of the outermost container has depth 1).
 */
export interface JsonEvents {
  /** `{` or `[` at offset `at`; its own depth is one less than that of its contents. */
  open?(isObject: boolean, at: number, depth: number): void;
  /** The bracket at offset `at` closes what `open` reported, at the same depth. */
  close?(isObject: boolean, at: number, depth: number): void;
  /** The name of a member, from its opening quote to after its closing one. The tokenizer's `name` decodes it. */
  name?(from: number, to: number, depth: number): void;
  /** A string that is a value, from its opening quote to after its closing one. */
  string?(from: number, to: number, depth: number): void;
  /** A number or word. */
  literal?(kind: LiteralKind, from: number, to: number, depth: number): void;
  /** Between two members or elements of the container with contents at `depth`. */
  comma?(depth: number): void;
  /** The current value cannot be read beyond offset `at`: its earlier events are void. */
  broken?(at: number): void;
}

export interface TokenizerOptions {
  /** UTF-16 units to which names are cut. Default 256. */
  readonly longestName?: number;
  /** The bytes are what a `Narrower` made of UTF-16 or UTF-32. Default false. */
  readonly narrowed?: boolean;
}
