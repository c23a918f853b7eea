import type { Mode } from '../agent/types.ts';

/** A rule of the command line, in the order given. */
export interface ToolOption {
  readonly option: '--allow' | '--ask' | '--exclude';
  /** `Tool` or `Tool(pattern)`. */
  readonly rule: string;
}

export interface SessionOptions {
  readonly config: string | null;
  readonly org: string | null;
  readonly mode: Mode;
  readonly verbose: boolean;
  readonly statusTool: boolean;
  readonly rules: readonly string[];
  readonly servers: readonly string[];
  readonly model: string | null;
  readonly prompts: readonly string[];
  readonly tools: readonly ToolOption[];
  readonly agent: string | null;
  /** Folders of `--add-dir`, as they were written. */
  readonly addedFolders: readonly string[];
}
