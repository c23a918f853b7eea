import type { InTurn } from './state.ts';
import type {
  AgentSession,
  Clock,
  EditorFiles,
  FileLedger,
  Jobs,
  Organization,
  Permissions,
  RecordWriter,
  ServerStatus,
  SessionState,
  Snapshots,
  Tool,
} from './types/index.ts';

/** Programs of the user that run at points of the work. */
export interface Hooks {
  /** @returns why the call is denied; null where it may go on */
  beforeTool(call: HookCall): Promise<{ readonly reason: string; readonly command: string } | null>;
  afterTool(call: HookCall & { readonly outcome: string; readonly result: string }): Promise<void>;
  at(event: 'session-start' | 'turn-end', details?: object): Promise<void>;
}
export interface HookCall {
  readonly tool: string;
  readonly target: string;
  readonly arguments: unknown;
}

/** The ports of a session. `compose/` makes the adapters; tests make their own. */
export interface AgentDependencies {
  readonly clock: Clock;
  /** Asked before each call of the model: servers may come and go. */
  tools(): Promise<readonly Tool[]>;
  readonly permissions: Permissions;
  readonly record: RecordWriter;
  readonly organization: Organization;
  readonly snapshots: Snapshots;
  readonly jobs: Jobs;
  readonly files: FileLedger;
  /** Only where an editor runs the session and offers its files. */
  readonly editor?: EditorFiles;
  readonly mask: (text: string) => { readonly text: string; readonly masked: number };
  /** Where relative paths of the model begin: absolute, links resolved. */
  readonly cwd: string;
  /** What `~` means in a path. */
  readonly home?: string;
  systemPrompt(): string;
  /** Replaces the saved session. */
  readonly save: (state: SessionState) => Promise<void>;
  /** Calls of the model in one turn, at most. */
  readonly mostSteps: number;
  /** Answers of the model that ask for tools, in one turn, at most (`--max-turns`). */
  readonly mostRounds?: number;
  /** Whether somebody can approve calls and answer questions. */
  readonly interactive: boolean;
  /** One question for several calls of one answer: the front end shows them all. */
  readonly asksTogether?: boolean;
  /** Reads the policy again and starts servers. Resolves with lines for the person. */
  beforeTurn(): Promise<readonly string[]>;
  /** Instructions of the folders between the project's root and a file that was read or edited. */
  nestedInstructions?(path: string): Promise<readonly { readonly source: string; readonly text: string }[]>;
  /** Programs of the user that run at points of the work. */
  hooks?(notice: (text: string) => void): Hooks;
  servers(): readonly ServerStatus[];
  /** Makes the session of a sub-agent. Absent in sub-agents. */
  createChild?(agent: string | null, inTurn: InTurn): Promise<AgentSession>;
  /** Stops what the session started. */
  close(): Promise<void>;
}
