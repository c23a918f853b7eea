import type { PathUse, Use, Word } from '../programs/program.ts';
import type { ResolvedPath } from './resolved-path.ts';

export type { Word };

export interface Redirection {
  readonly effect: 'read' | 'write';
  readonly target: Word;
  /** Where the target is; null where that is not known before the line runs. Filled in by `locate`. */
  readonly resolved: ResolvedPath | null;
}

/** A command of the line that the rules judge one by one. */
export interface SimpleCommand {
  /** Its text in the line. */
  readonly source: string;
  /** Names of variables that it sets: before its arguments, or without a command. */
  readonly assignments: readonly string[];
  readonly words: readonly Word[];
  readonly redirections: readonly Redirection[];
  /** What here-documents and here-strings give it to read. */
  readonly input: readonly Word[];
  /** It only starts another command, which follows in the list: `timeout 5 npm test`. */
  readonly transparent: boolean;
  /** What the program does with its words, by the table. */
  readonly use: Use;
  /** Where the paths lead that it uses. Filled in by `locate`. */
  readonly paths: readonly LocatedPath[];
  /** Of git: the folders in which it may work. Filled in by `locate`. */
  readonly folders?: readonly string[];
  /** Why it does more than the table says. */
  readonly more?: string;
}

export interface LocatedPath extends PathUse {
  /** Null where it is not known before the line runs. */
  readonly resolved: ResolvedPath | null;
}

export interface ParsedLine {
  readonly source: string;
  /** False where the grammar found an error: nothing about the line is certain. */
  readonly parsed: boolean;
  readonly commands: readonly SimpleCommand[];
  /** Why parts of the line cannot be judged before it runs; empty where everything can be. */
  readonly opaque: readonly string[];
}
