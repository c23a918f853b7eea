import type { ResolvedPath } from './resolved-path.ts';

/** One word of a command, as the shell passes it on. */
export interface Word {
  /** The literal text: quotes and escapes removed. Without meaning where the word is dynamic. */
  readonly text: string;
  /** Its value is not known before the line runs: it contains an expansion, a substitution or a brace list. */
  readonly dynamic: boolean;
  /** It may become several words or none: unquoted expansion, glob or brace list. */
  readonly splits: boolean;
}

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
  /** Paths that `rm` and similar programs would remove; null means an unknown path. Filled in by `locate`. */
  readonly removes: readonly (ResolvedPath | null)[];
  /** What `git checkout` names may be a file or a directory that exists, not only a branch. Filled in by `locate`. */
  readonly checksOutPath: boolean;
}

export interface ParsedLine {
  readonly source: string;
  /** False where the grammar found an error: nothing about the line is certain. */
  readonly parsed: boolean;
  readonly commands: readonly SimpleCommand[];
  /** Why parts of the line cannot be judged before it runs; empty where everything can be. */
  readonly opaque: readonly string[];
}
