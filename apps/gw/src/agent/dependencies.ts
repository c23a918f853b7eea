import { asSentence } from '../process/pluralize.ts';
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

const CHANGES_A_FILE = new Set(['Write', 'Edit', 'MultiEdit']);

/** What an approval that is remembered approves, in words: other contents of the same file too, for a tool that changes one. */
export function describeScope(tool: string): string {
  return CHANGES_A_FILE.has(tool) ? `any ${tool} to this file` : 'this exact call';
}

/** The rules of each offer that covers more than the call itself. */
export function widerOffers({
  tool,
  target,
  offers = [],
}: {
  readonly tool: string;
  readonly target: { readonly value: string };
  readonly offers?: readonly (readonly string[])[];
}): readonly (readonly string[])[] {
  const exact = `${tool}(${target.value})`;
  return offers.filter((rules) => rules.length > 1 || rules[0] !== exact);
}

/** The result of a call that was denied, for the model. */
export function deniedResult(reason: string): string {
  return `Denied: ${asSentence(reason)} The call was not run. Do not try to get around this; go on without it or say what you need.`;
}

/** Why a call was denied, without the words for the model. */
export function whyDenied(result: string): string {
  return result.replace(/^Denied: /, '').replace(/ The call was not run\.[\s\S]*$/, '');
}
