/** What a tool does to the world: the most serious effect counts. */
export type Effect = 'none' | 'read' | 'write' | 'execute' | 'network';

/** The object of a call, as shown, recorded and matched by rules. Paths as the model wrote them. */
export interface ToolTarget {
  readonly kind: 'path' | 'command' | 'host';
  readonly value: string;
}

/** The schema of a tool's arguments, as the chat completions API takes it. */
export interface JsonSchemaObject {
  readonly type: 'object';
  readonly properties: { readonly [name: string]: Json };
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
}

/** What a person sees before approving, and what front ends show of a result. */
export type Preview =
  /** `before` is null for a new file. Texts exactly as in the file. */
  | { readonly kind: 'diff'; readonly path: string; readonly before: string | null; readonly after: string }
  | { readonly kind: 'command'; readonly command: string; readonly note?: string }
  | { readonly kind: 'checklist'; readonly items: readonly ChecklistItem[] }
  | { readonly kind: 'text'; readonly text: string };

export interface ChecklistItem {
  readonly text: string;
  readonly state: 'open' | 'doing' | 'done';
}

export interface ToolResult {
  readonly outcome: 'succeeded' | 'failed';
  /** For the model, within the tool's documented size limit. */
  readonly content: string;
  /** Data URLs of pictures for the model. */
  readonly images?: readonly string[];
  readonly display?: Preview;
}

export type Parsed<A> = { readonly ok: true; readonly args: A } | { readonly ok: false; readonly message: string };

export interface Tool<A = unknown> {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonSchemaObject;
  readonly effect: Effect;
  /** Whether the model gets its schema only after it searched for it. It can be called in any case. */
  isHidden?(): boolean;
  /** `raw` is parsed JSON. The message is short and exact: the model reads it. */
  parse(raw: unknown): Parsed<A>;
  target(args: A): ToolTarget;
  /** The diff or command to show for approval. Rejects with `ToolFailed` where the call could not succeed. */
  preview?(args: A, context: ToolContext): Promise<Preview>;
  /** A failure that the model can correct is a result with the outcome `failed`; anything thrown becomes one. */
  run(args: A, context: ToolContext): Promise<ToolResult>;
}

/** The call cannot succeed, in words for the model: a file that was not read, text that is not there. */
export class ToolFailed extends Error {
  override readonly name = 'ToolFailed';
}

/** What was read in this session, so that an edit of a file that changed since then is refused. */
export interface FileLedger {
  /** Remembers the content that the model knows. `path` is absolute, links resolved. */
  note(path: string, content: Uint8Array): void;
  /** SHA-256 in hexadecimal of the content that the model knows; null where it has read nothing. */
  digestOf(path: string): string | null;
}

/** Copies of what a turn changes, for undo and redo. Git's own state is never touched. */
export interface Snapshots {
  /** A user's message begins a turn. */
  begin(turn: number): Promise<void>;
  /** Before a file is written, created or deleted. */
  beforeWrite(path: string): Promise<void>;
  /** Before a command that may change anything in the project. */
  beforeCommand(): Promise<void>;
  /** After the command: finds what it changed. */
  afterCommand(): Promise<void>;
  /** The turn is over. */
  end(): Promise<void>;
  /** Restores the files as they were before this turn, the latest one; null where it changed none. */
  undo(turn: number): Promise<Restored | null>;
  /** Restores the files as they were after this turn, which was undone; null where it changed none. */
  redo(turn: number): Promise<Restored | null>;
}
export interface Restored {
  readonly turn: number;
  /** Paths that were restored, relative to the project. */
  readonly files: readonly string[];
  /** Paths that somebody else changed since, and that were left alone. */
  readonly conflicts: readonly string[];
}

export interface Job {
  readonly id: string;
  readonly command: string;
  readonly state: 'running' | 'ended';
  readonly exitCode: number | null;
}
/** Background commands of a session. None of them outlives it. */
export interface Jobs {
  list(): readonly Job[];
  stopAll(): Promise<void>;
}

/** A server of the Model Context Protocol, as front ends show it. */
export interface ServerStatus {
  readonly name: string;
  /** Its command line, or its address. */
  readonly how: string;
  /** The project's configuration names it, and the person agreed to it. */
  readonly ofProject: boolean;
  readonly state: 'not started' | 'running' | 'failed' | 'ended';
  readonly reason: string | null;
  /** Names of its tools, as rules name them. */
  readonly tools: readonly string[];
}

export interface Question {
  readonly question: string;
  readonly options: readonly string[];
}

/** Files as an editor shows them, with changes that are not saved yet. Paths are absolute, links resolved. */
export interface EditorFiles {
  /** Null where the editor does not give the file. */
  read(path: string): Promise<string | null>;
  /** False where the editor does not take the file: it is written to the disk. */
  write(path: string, text: string): Promise<boolean>;
}

export interface ToolContext {
  /** Root of the project: absolute, links resolved. */
  readonly project: string;
  /** Where relative paths begin. */
  readonly cwd: string;
  /** What `~` means. */
  readonly home?: string;
  /** The session's identifier, and those of its parent. */
  readonly session: string;
  readonly parentSession?: string;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly files: FileLedger;
  /** Only where an editor runs the session and offers its files. */
  readonly editor?: EditorFiles;
  readonly snapshots: Snapshots;
  readonly jobs: Jobs;
  readonly planMode: boolean;
  /** Whether a rule with a pattern keeps Read from a file, so that no other tool shows its content. */
  keepsFromReading(path: string): Promise<boolean>;
  /** Whether a command line is known to only read. */
  readsOnly(command: string): Promise<boolean>;
  /** Output for the person while the tool runs. */
  output(chunk: string): void;
  /** Masks what looks like a secret. The loop masks every result, too. */
  mask(text: string): { readonly text: string; readonly masked: number };
  /** Replaces the checklist that the front ends show and compaction keeps. */
  setChecklist(items: readonly ChecklistItem[]): void;
  setStatus(status: string): void;
  /** A line for the person, in every front end: something that they should know. */
  warn(text: string): void;
  /** Absent where nobody can answer. Null: the person declined. */
  ask?(question: Question): Promise<string | null>;
  /** Runs a sub-agent and resolves with its answer. Absent in sub-agents. */
  runAgent?(request: { readonly prompt: string; readonly agent?: string; readonly call: string }): Promise<ToolResult>;
  /** The call's identifier, as events name it. */
  readonly call: string;
  /** Goes on when the person puts the running command into the background. */
  readonly toBackground?: AbortSignal;
}

/** A JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [member: string]: Json };

export interface Clock {
  now(): Date;
  /** Resolves after that many milliseconds; rejects with the signal's reason once it is aborted. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/** `plan`: nothing may be changed. `auto`: what would be asked is allowed; exclusions stay. */
export type Mode = 'normal' | 'plan' | 'auto';
