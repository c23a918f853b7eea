import type { ContentPart, Message, Model } from './models.ts';
import type { ChecklistItem, Effect, Jobs, Json, Mode, Preview, ServerStatus, Snapshots, ToolTarget } from './tools.ts';

export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly calls: number;
}
/** A session as a value: it is saved, loaded, forked and replayed. */
export interface SessionState {
  readonly version: 1;
  /** UUID version 7. */
  readonly id: string;
  readonly parent: string | null;
  /** One line, at most 200 characters. */
  readonly title: string;
  readonly directory: string;
  /** Root of the repository or, without one, the directory. */
  readonly project: string;
  readonly model: string;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly updatedAt: string;
  /** Messages of the user that were worked on. */
  readonly turns: number;
  /** The conversation without the system prompt, which is made again at each start. */
  readonly messages: readonly Message[];
  readonly usage: Usage;
  /** Input tokens of the latest call: how full the context is. */
  readonly contextTokens: number;
  /** Euros, of the calls whose model has prices in the configuration; null where there was none. */
  readonly cost: number | null;
  readonly checklist: readonly ChecklistItem[];
}

/** A call that was made, denied or failed, in the order of the session. */
export interface ToolCallSummary {
  readonly tool: string;
  readonly target: string;
  readonly outcome: 'succeeded' | 'failed' | 'denied';
  readonly authorizedBy: 'policy' | 'human' | 'automatic';
  /** Why it was denied. */
  readonly reason?: string;
}

export type TurnStatus =
  | 'completed'
  /** The person interrupted it, or refused a call. */
  | 'interrupted'
  /** The engine, the network or the tool machinery failed, or the limit of steps was reached. */
  | 'failed'
  /** The gateway refused. */
  | 'refused';
export interface TurnOutcome {
  readonly status: TurnStatus;
  /** The text of the model's last message. */
  readonly answer: string;
  /** Calls of this turn, those of its sub-agents included. */
  readonly toolCalls: readonly ToolCallSummary[];
  readonly usage: Usage;
  readonly error: {
    readonly message: string;
    readonly status: number | null;
    readonly revoked: boolean;
    /**
     * `limit`: the turn reached its limit of calls of the model. `repeated-call`: the model repeated a call and asks for
     * help. `refusal`: the model, or its provider's content filter, refused.
     */
    readonly cause?: 'limit' | 'repeated-call' | 'refusal';
  } | null;
  /** The answer was cut at the maximum number of tokens. */
  readonly isCut?: boolean;
  /** Messages that were meant for the running turn, which ended before the model got them. */
  readonly unread?: readonly string[];
}

export type AgentEvent =
  | { readonly type: 'turn-started'; readonly message: string }
  /** The tools that the model is offered, before its first call of a turn. */
  | { readonly type: 'tools-offered'; readonly names: readonly string[] }
  /** A message that came while the turn was running goes to the model now. */
  | { readonly type: 'steered'; readonly message: string }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  /** A message of the model is complete; `text` is all of it. */
  | { readonly type: 'message-finished'; readonly text: string }
  | {
      readonly type: 'tool-proposed';
      readonly id: string;
      readonly tool: string;
      readonly target: string;
      /** The call of the sub-agent that makes it. */
      readonly parentCall?: string;
    }
  /** What the sub-agent of a call does now (null: as before), and the tokens that it has used. */
  | { readonly type: 'sub-agent'; readonly call: string; readonly doing: string | null; readonly tokens: number }
  | {
      readonly type: 'permission-requested';
      /** Identifies the request towards `decide`. */
      readonly id: string;
      /** The call, as `tool-proposed` named it. */
      readonly call: string;
      readonly tool: string;
      readonly target: ToolTarget;
      /** The call's arguments as JSON, for a person who edits them. */
      readonly arguments: string;
      readonly preview: Preview | null;
      readonly reason: string;
      /** For each offer to remember the approval the rules that are saved, the exact call first. */
      readonly offers?: readonly (readonly string[])[];
      /** The session that asks, where it is a sub-agent's. */
      readonly subAgent?: string;
      /** Further calls of the same answer, which the decision is about, too. */
      readonly more?: readonly {
        readonly call: string;
        readonly tool: string;
        readonly target: ToolTarget;
        readonly arguments: string;
        readonly preview: Preview | null;
      }[];
    }
  /** The person wants to be asked for each of several calls. */
  | { readonly type: 'permission-asked-each'; readonly id: string }
  | {
      readonly type: 'permission-decided';
      readonly id: string;
      readonly tool: string;
      readonly target: string;
      readonly decision: 'allow' | 'deny';
      readonly authorizedBy: 'policy' | 'human' | 'automatic';
      readonly reason: string;
      /** The person changed the call: `target` is that of the call as it runs. */
      readonly changed?: boolean;
    }
  /** A call that may run begins. */
  | {
      readonly type: 'tool-started';
      readonly id: string;
      readonly tool: string;
      readonly target: string;
      readonly authorizedBy: 'policy' | 'human' | 'automatic';
    }
  | { readonly type: 'tool-output'; readonly id: string; readonly chunk: string }
  | {
      readonly type: 'tool-finished';
      readonly id: string;
      readonly tool: string;
      readonly target: string;
      readonly outcome: 'succeeded' | 'failed' | 'denied';
      readonly content: string;
      readonly display?: Preview;
      /** Who allowed or denied it; absent where it came to no decision. */
      readonly authorizedBy?: 'policy' | 'human' | 'automatic';
    }
  | { readonly type: 'usage'; readonly total: Usage; readonly contextTokens: number; readonly cost: number | null }
  | { readonly type: 'checklist'; readonly items: readonly ChecklistItem[] }
  | { readonly type: 'status'; readonly text: string }
  /** `warning` is something that the person should know: a masked secret, a failing MCP server, an old policy. */
  | { readonly type: 'notice'; readonly level: 'info' | 'warning'; readonly text: string }
  | { readonly type: 'compacted'; readonly dropped: number; readonly summary: string }
  /** The model asks; `answer` answers it. */
  | { readonly type: 'question'; readonly id: string; readonly question: string; readonly options: readonly string[] }
  | { readonly type: 'mode-changed'; readonly mode: Mode }
  | { readonly type: 'turn-ended'; readonly outcome: TurnOutcome };

export type Approval =
  /**
   * `remember`: this exact call is allowed from now on, in this session or in every session of this project.
   * `rules` of an offer are remembered instead. `arguments` replaces the call's arguments (JSON).
   */
  | {
      readonly decision: 'allow';
      readonly remember?: 'session' | 'project';
      readonly rules?: readonly string[];
      readonly arguments?: string;
    }
  /** Of several calls: the person is asked for each. */
  | { readonly decision: 'each' }
  /** `stop` ends the turn, too. */
  | { readonly decision: 'deny'; readonly stop?: boolean; readonly reason?: string };

/** How a call ended. */
export interface CallOutcome {
  readonly outcome: ToolCallSummary['outcome'];
  /** For the model. */
  readonly content: string;
  /** The person wants the turn to end. */
  readonly stop: boolean;
  /** Data URLs of pictures for the model. */
  readonly images?: readonly string[];
  /** The file that was read or changed. */
  readonly path?: string;
  /** The arguments as the call was run, where a person changed them. */
  readonly changed?: string;
}

/** One conversation. The terminal, headless mode, `serve` and sub-agents drive the same object. */
export interface AgentSession {
  readonly state: SessionState;
  readonly mode: Mode;
  readonly running: boolean;
  readonly model: Model;
  readonly snapshots: Snapshots;
  readonly jobs: Jobs;
  /** The MCP servers of the session. */
  servers(): readonly ServerStatus[];
  /** Every event from now on; the function that is returned ends it. */
  subscribe(listener: (event: AgentEvent) => void): () => void;
  /** Works on a message until the turn ends. Throws while a turn is running: front ends keep their own queue. */
  submit(
    message: string | readonly ContentPart[],
    /** `tools`: names of the tools of this turn alone. */
    options?: { readonly tools?: readonly string[] | null },
  ): Promise<TurnOutcome>;
  /** Gives the running turn a message, which the model gets with the next results. False where no turn runs. */
  steer(message: string): boolean;
  /** Takes such a message back; false where the model has it. */
  unsteer(message: string): boolean;
  /**
   * Runs one call of a tool without the model, by the same rules, record and acts as the model's calls. Throws while a turn is
   * running, where the gateway refuses, and where it was interrupted.
   */
  call(tool: string, args: Json): Promise<CallOutcome>;
  /** Puts the running command into the background. False where no turn runs. */
  toBackground(): boolean;
  /** Ends the running turn; the model's output so far is kept. */
  interrupt(): void;
  /** False where nothing with this identifier waits. */
  decide(permissionId: string, approval: Approval): boolean;
  answer(questionId: string, text: string | null): boolean;
  setMode(mode: Mode): void;
  setModel(model: Model): void;
  setTitle(title: string): Promise<void>;
  /** Summarizes the older turns now. */
  compact(): Promise<void>;
  /** Drops the latest `turns` turns of the conversation (undo); files are restored by `snapshots`. Returns the dropped messages of the user. */
  rewind(turns: number): Promise<readonly string[]>;
  /** Brings back what the latest `rewind` dropped (redo), with the messages of the user; none once a message was sent since. */
  restore(): Promise<readonly string[]>;
  /** Ends the session: jobs and servers are stopped, acts delivered, the record closed. */
  close(): Promise<void>;
}

export type RecordKind =
  | 'session-started'
  | 'authentication'
  | 'prompt'
  | 'file-read'
  | 'file-modified'
  | 'proposed-action'
  | 'human-decision'
  | 'sandbox-execution'
  | 'policy-change'
  | 'purge'
  | 'session-ended';
export interface RecordWriter {
  /** Resolves once the entry is on the disk. Rejects where it cannot be written: then its action must not happen. */
  append(entry: { readonly kind: RecordKind; readonly [detail: string]: Json }): Promise<void>;
}

/** One tool call, as the organization learns of it. */
export interface ActDetails {
  readonly session: string;
  readonly parentSession?: string;
  readonly tool: string;
  readonly target: ToolTarget;
  readonly authorizedBy: 'policy' | 'human' | 'automatic';
  readonly outcome: 'succeeded' | 'failed' | 'refused' | 'interrupted';
  readonly reason?: string;
}
/** An organization's policy, and where it is from. */
export interface PolicyInForce {
  readonly source: 'gateway' | 'kept' | 'none';
  readonly revision: number | null;
  /** The whole document as it was installed; null where nothing is imposed now. */
  readonly document: Json;
  readonly tools: {
    readonly allow?: readonly string[] | undefined;
    readonly ask?: readonly string[] | undefined;
    readonly exclude?: readonly string[] | undefined;
  };
  /** Where the commands of agents run. */
  readonly commands: 'workstation' | 'gateway';
  /** A message that the user has not seen yet, such as that a cached copy is used; else null. */
  readonly notice: string | null;
}
export interface Organization {
  /**
   * The policy in force; requested at start and before each turn, so that a new revision takes effect at once. Rejects with
   * `PolicyUnknown` if the gateway does not answer and no valid copy is cached: then nothing may be done.
   */
  policy(): Promise<PolicyInForce>;
  /** `unknown` where the gateway does not say; it checks each call by itself. */
  standing(session: string): Promise<'in force' | 'revoked' | 'unknown'>;
  /** Keeps the act for delivery; returns at once. */
  act(act: ActDetails): void;
  /** Delivers queued acts, or leaves them on the disk for later. Resolves with a message if some remain; else null. */
  flush(): Promise<string | null>;
}

export interface PermissionCall {
  readonly tool: string;
  readonly effect: Effect;
  readonly target: ToolTarget;
  readonly args: unknown;
}
export interface PermissionDecision {
  readonly decision: 'allow' | 'ask' | 'deny';
  /** The rule that decided, as its author wrote it: `Bash(git *)`; for a default, the tool's name. */
  readonly rule: string;
  /** Where the rule is: `policy`, `--exclude`, `configuration`, `saved`, `default`, … */
  readonly source: string;
  /** A sentence for the person and the model. */
  readonly reason: string;
  /** Who is responsible if the call is allowed. */
  readonly authorizedBy: 'policy' | 'human' | 'automatic';
}
/** Judges calls. The adapter resolves links and parses commands; the decision itself is a pure function. */
export interface Permissions {
  judge(call: PermissionCall, mode: Mode): Promise<PermissionDecision>;
  /** Whether a command line is known to only read, whatever the rules say of it. */
  readsOnly?(command: string): Promise<boolean>;
  /**
   * Remembers an approval of exactly this call, for the session or for every session of the project. Resolves with a message if
   * it cannot be stored that long; else null. `rules` are those of an offer, which are saved instead.
   */
  remember(call: PermissionCall, scope: 'session' | 'project', rules?: readonly string[]): Promise<string | null>;
  /** What can be approved beyond this one time, with the rules that would be saved: the exact call, its program or folder. */
  offers?(call: PermissionCall): Promise<readonly { readonly kind: string; readonly rules: readonly string[] }[]>;
}
